package kubernetes

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"berth/engine/diag"
	"berth/engine/format"
	"berth/engine/packing"
	"berth/engine/replay"
	"berth/engine/show"
)

// ReadCluster reads the nodes of a cluster and all its pods, those that wait for a node
// too, as kubectl get nodes,pods,poddisruptionbudgets -A -o yaml writes them.
func ReadCluster(file string, text []byte, options format.Options) (*replay.Cluster, diag.List) {
	o := readObjects(file, text, options)
	c, shared := &replay.Cluster{Name: clusterName(file)}, shapes{}
	for _, pods := range [][]pod{o.pods, o.waiting} {
		for i := range pods {
			o.about(pods[i].place)
			c.Pods = append(c.Pods, o.livePod(&pods[i], shared))
		}
	}
	return o.finished(c, shared)
}

// finished returns a cluster that has its pods.
func (o *objects) finished(c *replay.Cluster, shared shapes) (*replay.Cluster, diag.List) {
	for i := range o.nodes {
		c.Nodes = append(c.Nodes, o.nodes[i].Node)
	}
	if len(o.nodes) == 0 && o.source.count[diag.Error] == 0 {
		o.source.whole(diag.Error, noNodesWithPods)
	}
	for i := range o.budgets {
		o.about(o.budgets[i].place)
		c.Budgets = append(c.Budgets, o.budget(&o.budgets[i], c.Pods))
	}
	o.spreadShared(shared)
	c.Objects = o.around
	found := o.source.diagnostics()
	if len(found.Errors()) > 0 {
		return nil, found
	}
	return c, found
}

// shapes lets pods of one controller share theirs: by controller, those that differ.
type shapes map[packing.Owner][]*packing.Shape

// of returns the shape that a pod of the controller had before, if one is the same. Its
// pods seldom differ, and where they do, they are told apart by the last ones.
func (s shapes) of(controller packing.Owner, shape *packing.Shape) *packing.Shape {
	known := s[controller]
	for i := len(known) - 1; i >= max(0, len(known)-4); i-- {
		if reflect.DeepEqual(known[i], shape) {
			return known[i]
		}
	}
	s[controller] = append(known, shape)
	return shape
}

// spreadShared gives shapes without constraints of their own those of the scheduler, once
// all Services and controllers are read.
func (o *objects) spreadShared(shared shapes) {
	for controller, all := range shared {
		for _, s := range all {
			if len(s.Spread)+len(s.Prefers.Spread) == 0 {
				s.Prefers.Spread = o.spreadByDefault(s, controller)
			}
		}
	}
}

// standing is the shape of a pod of a cluster, with what it prefers.
func (o *objects) standing(p *pod, shared shapes) *packing.Shape {
	shape := o.shape(p, o.amountsOf(p, nil))
	shape.Prefers = o.prefers(p, shape)
	return shared.of(p.controller, shape)
}

// livePod is a pod of a cluster as a replay takes it.
func (o *objects) livePod(p *pod, shared shapes) *replay.Pod {
	out := &replay.Pod{
		Name: p.name.name, Owner: p.owner, On: p.node.text(),
		Shape:   o.standing(p, shared),
		Created: seconds(p.meta.at("creationTimestamp")),
		Ending:  p.meta.at("deletionTimestamp").there(),
	}
	for _, volume := range p.spec.at("volumes").items() {
		out.Local = out.Local || volume.at("emptyDir").there()
	}
	for _, gate := range p.spec.at("schedulingGates").items() {
		out.Gates = append(out.Gates, gate.at("name").text())
	}
	priority := o.priority(p)
	out.Priority, out.Polite = priority.Value, priority.Never
	return out
}

// seconds reads a time, 0 where there is none.
func seconds(v *value) int64 {
	t, err := time.Parse(time.RFC3339, v.text())
	if err != nil {
		return 0
	}
	return t.Unix()
}

// whole reads a whole number, which may be below 0; 0 where there is none.
func whole(v *value) int64 {
	if !v.there() {
		return 0
	}
	n, err := strconv.ParseInt(v.text(), 10, 64)
	if err != nil {
		v.wrong(notWhole, show.Quote(v.text()))
	}
	return n
}

// priorityClass is what a PriorityClass gives its pods.
type priorityClass struct {
	value     int64
	preempts  string
	byDefault bool
}

var systemClasses = map[string]priorityClass{
	"system-cluster-critical": {value: 2_000_000_000},
	"system-node-critical":    {value: 2_000_001_000},
}

func (o *objects) priorityClass(id identity, v *value) {
	o.classes[id.name.name] = priorityClass{whole(v.at("value")), v.at("preemptionPolicy").text(), v.at("globalDefault").truth()}
}

// priority is that of a pod: its own, else that of its class.
func (o *objects) priority(p *pod) format.Priority {
	name := p.spec.at("priorityClassName").text()
	class, known := o.classes[name]
	if !known {
		class = systemClasses[name]
	}
	if name == "" {
		for _, c := range o.classes {
			if c.byDefault && (!class.byDefault || c.value < class.value) {
				class = c
			}
		}
	}
	if own := p.spec.at("priority"); own.there() {
		class.value = whole(own)
	}
	if own := p.spec.at("preemptionPolicy"); own.there() {
		class.preempts = own.text()
	}
	return format.Priority{Value: int32(class.value), Never: class.preempts == "Never"}
}

// budget reads a PodDisruptionBudget: what it allows now as its status says, else by the
// pods that are there.
func (o *objects) budget(b *object, pods []*replay.Pod) *replay.Budget {
	out := &replay.Budget{Name: b.name.name, Namespace: b.namespace, Selector: selectorOf(b.in("spec", "selector"))}
	if allowed := b.in("status", "disruptionsAllowed"); allowed.there() {
		out.Allowed = allowed.number(0)
		return out
	}
	expected := 0
	for _, p := range pods {
		if out.Covers(p) {
			expected++
		}
	}
	switch least, most := b.in("spec", "minAvailable"), b.in("spec", "maxUnavailable"); {
	case most.there():
		out.Allowed = share(most, expected)
	case least.there():
		out.Allowed = max(0, expected-share(least, expected))
	default:
		out.Allowed = max(0, expected-1)
	}
	for _, p := range pods {
		if out.Covers(p) && (p.On == "" || p.Ending) && out.Allowed > 0 {
			out.Allowed--
		}
	}
	return out
}

// share reads a number of pods, or a percentage of some, rounded up.
func share(v *value, of int) int {
	text := v.text()
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		if n, isNumber := finite(percent); isNumber {
			return (int(n)*of + 99) / 100
		}
	}
	return v.number(0)
}
