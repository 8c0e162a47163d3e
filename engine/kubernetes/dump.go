package kubernetes

import (
	"maps"
	"math"
	"reflect"
	"slices"
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
	o.complete(shared)
	o.unknownNamespaces(shared)
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

// complete gives shapes what objects behind their pods may say, once all are read: the labels
// of their namespaces, and the constraints of the scheduler where they have none of their own.
func (o *objects) complete(shared shapes) {
	for controller, all := range shared {
		for _, s := range all {
			s.Namespaced = o.around.Namespaces[s.Namespace]
			if len(s.Spread)+len(s.Prefers.Spread) == 0 {
				s.Prefers.Spread = o.spreadByDefault(s, controller)
			}
		}
	}
}

// unknownNamespaces warns of namespaces that the file does not have, where an affinity chooses
// some by their labels.
func (o *objects) unknownNamespaces(shared shapes) {
	chooses, unknown := false, map[string]bool{}
	for _, all := range shared {
		for _, s := range all {
			chooses = chooses || s.ByNamespace()
			if _, known := o.around.Namespaces[s.Namespace]; !known {
				unknown[s.Namespace] = true
			}
		}
	}
	if names := slices.Sorted(maps.Keys(unknown)); chooses && len(names) > 0 {
		o.source.whole(diag.Warning, noNamespaces, show.Count(len(names), "namespace"), show.Quote(names[0]))
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
		Ending:  p.meta.at("deletionTimestamp").there(), Starting: p.status.at("phase").text() == "Pending",
	}
	for _, condition := range p.status.at("conditions").items() {
		out.Unready = out.Unready || condition.at("type").text() == "Ready" && condition.at("status").text() != "True"
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

// priorityClass is what a PriorityClass gives its pods.
type priorityClass struct {
	value     int
	preempts  string
	byDefault bool
}

var systemClasses = map[string]priorityClass{
	"system-cluster-critical": {value: 2_000_000_000},
	"system-node-critical":    {value: 2_000_001_000},
}

func (o *objects) priorityClass(id identity, v *value) {
	o.classes[id.name.name] = priorityClass{v.at("value").whole(math.MinInt32, 0), v.at("preemptionPolicy").text(), v.at("globalDefault").truth()}
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
		class.value = own.whole(math.MinInt32, 0)
	}
	if own := p.spec.at("preemptionPolicy"); own.there() {
		class.preempts = own.text()
	}
	return format.Priority{Value: int32(class.value), Never: class.preempts == "Never"}
}

// budget reads a PodDisruptionBudget: what it allows now as its status says, else by the
// pods that are there.
func (o *objects) budget(b *object, pods []*replay.Pod) *replay.Budget {
	selector := b.in("spec", "selector")
	out := &replay.Budget{Name: b.name.name, Namespace: b.namespace, Selector: selectorOf(selector)}
	if b.at("apiVersion").text() == "policy/v1beta1" && len(out.Selector) == 0 {
		out.Selector = nil // an empty one was about no pod then
	}
	always := b.in("spec", "unhealthyPodEvictionPolicy").text() == "AlwaysAllow"
	if allowed := b.in("status", "disruptionsAllowed"); allowed.there() {
		desired := b.in("status", "desiredHealthy").number(0)
		out.Allowed, out.Spares = allowed.number(0), always || desired > 0 && b.in("status", "currentHealthy").number(0) >= desired
		return out
	}
	expected, healthy := 0, 0
	for _, p := range pods {
		if out.Covers(p) {
			expected++
			if p.On != "" && !p.Ending && !p.Unready {
				healthy++
			}
		}
	}
	desired := min(1, expected)
	switch least, most := b.in("spec", "minAvailable"), b.in("spec", "maxUnavailable"); {
	case most.there():
		desired = max(0, expected-share(most, expected))
	case least.there():
		desired = share(least, expected)
	}
	out.Allowed, out.Spares = max(0, healthy-desired), always || desired > 0 && healthy >= desired
	return out
}

// share reads a number of pods, or a percentage of some, rounded up.
func share(v *value, of int) int {
	if !v.there() || !v.is(isScalar) {
		return 0
	}
	if percent, ok := strings.CutSuffix(v.node.text, "%"); ok {
		if n, isNumber := finite(percent); isNumber {
			return (int(n)*of + 99) / 100
		}
	}
	return v.number(0)
}
