package manifest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/show"
)

// ReadCluster reads the nodes and all pods of a cluster, including pending pods, as
// printed by kubectl get nodes,pods,poddisruptionbudgets -A -o yaml.
func ReadCluster(file string, text []byte, options format.Options) (*kube.Cluster, diag.List) {
	o := readObjects(file, text, options)
	c, shared := &kube.Cluster{Name: clusterName(file)}, shapes{}
	for _, pods := range [][]pod{o.pods, o.waiting} {
		for i := range pods {
			c.Pods = append(c.Pods, o.livePod(&pods[i], shared))
		}
	}
	return o.finished(c, shared)
}

// finished completes a cluster whose pods have been read with all other objects of
// the file.
func (o *objects) finished(c *kube.Cluster, shared shapes) (*kube.Cluster, diag.List) {
	c.Nodes = o.nodes
	if len(o.nodes) == 0 && o.source.count[diag.Error] == 0 {
		o.source.whole(diag.Error, noNodesWithPods)
	}
	o.each("PodDisruptionBudget", func(b *object) { c.Budgets = append(c.Budgets, o.budget(b, c.Pods)) })
	c.Absent = o.absent
	inOrder(c.Pods, func(p *kube.Pod) (string, string) { return p.Namespace(), p.Name })
	inOrder(c.Budgets, func(b *kube.Budget) (string, string) { return b.Namespace, b.Name })
	inOrder(c.Absent, func(a kube.Absent) (string, string) { return a.Namespace, a.Name })
	o.complete(shared)
	o.unknownNamespaces(shared)
	c.Objects = o.around
	found := o.source.diagnostics()
	if len(found.Errors()) > 0 {
		return nil, found
	}
	return c, found
}

// inOrder sorts objects by namespace and name, as the API lists them, so that the order in a file
// does not matter.
func inOrder[T any](all []T, of func(T) (namespace, name string)) {
	slices.SortStableFunc(all, func(a, b T) int {
		space, name := of(a)
		otherSpace, other := of(b)
		return cmp.Or(strings.Compare(space, otherSpace), strings.Compare(name, other))
	})
}

// shapes holds the distinct shapes by controller, so that pods of one controller
// share them.
type shapes map[kube.Owner][]*kube.Shape

// of returns an earlier, equal shape of the controller, or else stores and returns the given one.
// It compares only the last four shapes, because a controller rarely has more than one.
func (s shapes) of(controller kube.Owner, shape *kube.Shape) *kube.Shape {
	known := s[controller]
	for i := len(known) - 1; i >= max(0, len(known)-4); i-- {
		if reflect.DeepEqual(known[i], shape) {
			return known[i]
		}
	}
	s[controller] = append(known, shape)
	return shape
}

// complete adds to the shapes the parts that depend on later objects in the file: the labels of
// their namespaces, and the scheduler's default spread constraints for shapes that have none.
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

// unknownNamespaces warns if an affinity selects namespaces by labels but the file
// lacks some Namespace objects.
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

// liveShape returns the shape of an existing pod, including its preferences.
func (o *objects) liveShape(p *pod, shared shapes) *kube.Shape {
	shape := o.shape(p, o.amountsOf(p, nil, nil))
	shape.Prefers = o.prefers(p, shape)
	return shared.of(p.controller, shape)
}

// livePod converts a pod of a cluster for a replay.
func (o *objects) livePod(p *pod, shared shapes) *kube.Pod {
	out := &kube.Pod{
		Name: p.name.name, Owner: p.owner, On: p.node.text(),
		Shape:   o.liveShape(p, shared),
		Created: seconds(p.meta.at("creationTimestamp")), Started: kube.NotStarted,
		Ending: p.meta.at("deletionTimestamp").there(), Starting: p.status.at("phase").text() == "Pending",
	}
	if at := seconds(p.status.at("startTime")); at != 0 { // a pod that has not started counts as the latest
		out.Started = at
	}
	out.Beyond = p.beyond()
	out.Waits = p.waits()
	out.Promised = strings.Clone(p.status.at("nominatedNodeName").text())
	for _, condition := range p.status.at("conditions").items() {
		switch kind, holds := condition.at("type").text(), condition.at("status").text() == "True"; {
		case kind == "Ready":
			out.Unready = out.Unready || !holds
		case kind == "DisruptionTarget" && holds:
			out.Yields = out.Ending && condition.at("reason").text() == "PreemptionByScheduler"
		}
	}
	for _, volume := range p.spec.at("volumes").items() {
		out.Local = out.Local || volume.at("emptyDir").there()
	}
	out.Gates = each(p.spec.at("schedulingGates"), func(gate *value) string { return gate.at("name").text() })
	out.Priority, out.Polite = o.priority(p)
	return out
}

// beyond returns why a replay of kube-scheduler cannot decide about a pod; "" if it can.
func (p *pod) beyond() string {
	if name := p.spec.at("schedulerName").text(); name != "default-scheduler" && name != "" {
		return fmt.Sprintf("The scheduler %s decides about it; Berth replays kube-scheduler alone.", show.Text(name))
	}
	if claims := p.spec.at("resourceClaims").items(); len(claims) > 0 {
		return fmt.Sprintf("It asks for devices by resource claims (%s), which Berth does not replay.", show.Joined(claims, ", ", func(c value) string { return show.Text(c.at("name").text()) }))
	}
	return ""
}

// waits returns the reason why a container of the pod is waiting, unless it is still being created;
// "" if none is waiting.
func (p *pod) waits() string {
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, c := range p.status.at(list).items() {
			switch why := c.in("state", "waiting", "reason").text(); why {
			case "", "ContainerCreating", "PodInitializing":
			default:
				return strings.Clone(why)
			}
		}
	}
	return ""
}

// seconds parses a time into Unix seconds; 0 if it is missing or invalid.
func seconds(v *value) int64 {
	t, err := time.Parse(time.RFC3339, v.text())
	if err != nil {
		return 0
	}
	return t.Unix()
}

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

// priority returns the priority of a pod, and whether it never preempts. It takes them from the
// pod's own fields or, if a field is missing, from its PriorityClass. A pod without a class uses
// the default class.
func (o *objects) priority(p *pod) (value int32, polite bool) {
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
	return int32(class.value), class.preempts == "Never"
}

// budget reads a PodDisruptionBudget. The number of evictions allowed now comes from its status.
// Without a status it is computed from the given pods, as the disruption controller would if they
// were all the pods.
func (o *objects) budget(b *object, pods []*kube.Pod) *kube.Budget {
	selector := b.in("spec", "selector")
	out := &kube.Budget{Name: b.name.name, Namespace: b.namespace, Selector: selectorOf(selector)}
	if b.at("apiVersion").text() == "policy/v1beta1" && len(out.Selector) == 0 {
		out.Selector = nil // in v1beta1 an empty selector matches no pod
	}
	least, most := b.in("spec", "minAvailable"), b.in("spec", "maxUnavailable")
	const many = 1 << 20
	out.Rigid = share(least, many, 99) == many || most.there() && share(most, many, 99) == 0
	always := b.in("spec", "unhealthyPodEvictionPolicy").text() == "AlwaysAllow"
	if allowed := b.in("status", "disruptionsAllowed"); allowed.there() {
		desired := b.in("status", "desiredHealthy").number(0)
		out.Allowed, out.Spares = allowed.number(0), always || desired > 0 && b.in("status", "currentHealthy").number(0) >= desired
		return out
	}
	expected, healthy, desired, scaled := 0, 0, 0, true
	for _, p := range pods {
		if !out.Covers(p) {
			continue
		}
		scaled = scaled && !slices.Contains(scaleless, p.Owner.Kind)
		if p.Ending {
			continue
		}
		if p.Owner.Kind != "Pod" {
			expected++
		}
		if p.On != "" && !p.Unready {
			healthy++
		}
	}
	switch {
	case most.there():
		desired = max(0, expected-share(most, expected, 99))
	case least.there() && strings.HasSuffix(least.node.text, "%"):
		desired = share(least, expected, 99)
	case least.there():
		desired, expected, scaled = least.number(0), 1, true
	default:
		expected = 0
	}
	if expected > 0 && scaled {
		out.Allowed = max(0, healthy-desired)
	}
	out.Spares = always || scaled && desired > 0 && healthy >= desired
	return out
}

// scaleless are kinds of controllers without a number of replicas. If a budget is a percentage of
// the replicas, the disruption controller allows no disruption of their pods.
var scaleless = []string{"DaemonSet", "Job", "Node"}

// share reads a number of pods, or a percentage of the number of. It rounds a percentage up if up
// is 99, and down if up is 0.
func share(v *value, of, up int) int {
	if !v.there() || !v.is(isScalar) {
		return 0
	}
	if percent, ok := strings.CutSuffix(v.node.text, "%"); ok {
		if n, isNumber := finite(percent); isNumber {
			return (int(n)*of + up) / 100
		}
	}
	return v.number(0)
}
