package manifest

import (
	"maps"
	"slices"
	"strings"

	"berth/engine/kube"
)

// pod is a Pod or a pod template.
type pod struct {
	name
	meta, spec value
	status     value
	owner      kube.Owner
	controller kube.Owner // controller in the pod's owner reference, such as the ReplicaSet of the Deployment in owner
	node       value
	containers bool // pod-level resources do not count
	assigned   bool // a scheduler chose the node, so the pod may be placed elsewhere
	labels     map[string]string
	claims     value // volumeClaimTemplates
}

// revised gives the pods of a workload the label for a new revision of its template. No existing
// pod has its value.
func (p *pod) revised(id *identity) {
	key := map[string]string{"Deployment": "pod-template-hash", "ReplicaSet": "pod-template-hash", "StatefulSet": "controller-revision-hash", "DaemonSet": "controller-revision-hash"}[id.kind]
	if key == "" || p.labels[key] != "" {
		return
	}
	labels := map[string]string{key: "new/" + id.namespace + "/" + id.name.name}
	maps.Copy(labels, p.labels)
	p.labels = labels
}

func (o *objects) readPod(id name, v *value) pod {
	return pod{name: id, meta: *v.at("metadata"), spec: *v.at("spec"), status: *v.at("status"), labels: v.in("metadata", "labels").textMap()}
}

// amounts are the requests and limits of a pod or a container.
type amounts struct{ requests, limits kube.Resources }

// amountsOf returns the requests and limits of a pod as Kubernetes computes them: the sum over all
// containers and sidecars or, if larger, the maximum over the other init containers, each with the
// sidecars before it; then the overhead. missing counts containers without a request, by resource.
// assumed are the requests of containers that do not request a resource.
func (o *objects) amountsOf(p *pod, missing map[string]int, assumed map[string]int64) amounts {
	container := func(c *value, missing map[string]int) amounts {
		a := o.container(p.namespace, c, missing)
		p.resized(c.at("name").text(), a.requests)
		for resource, amount := range assumed {
			if _, given := a.requests[resource]; !given {
				a.requests[resource] = amount
			}
		}
		return a
	}
	run := none()
	level := p.spec.at("resources")
	if level.there() {
		missing = nil
	}
	for _, c := range p.spec.at("containers").items() {
		run.add(container(&c, missing))
	}
	sidecars, peak := none(), none()
	for _, c := range p.spec.at("initContainers").items() {
		one := container(&c, nil)
		if c.at("restartPolicy").text() == "Always" {
			run.add(one)
			sidecars.add(one)
			peak.raise(sidecars)
			continue
		}
		one.add(sidecars)
		peak.raise(one)
	}
	run.raise(peak)
	if !p.containers {
		run.whole(level)
	}
	run.annotated(p.meta.at("annotations"))
	overhead := resourcesOf(p.spec.at("overhead"))
	if len(overhead) == 0 {
		overhead = o.around.Runtimes[p.spec.at("runtimeClassName").text()].Overhead
	}
	overhead.AddTo(run.requests, run.limits)
	return run
}

// resized raises the requests of a container to the current amounts of its running pod. During a
// resize in place, the larger of the old and the new request counts. If the node cannot carry out
// the resize (Infeasible), the pod keeps its current amounts.
func (p *pod) resized(container string, requests kube.Resources) {
	for _, list := range []string{"containerStatuses", "initContainerStatuses"} {
		for _, c := range p.status.at(list).items() {
			if c.at("name").text() != container {
				continue
			}
			has := resourcesOf(c.in("resources", "requests"))
			for resource, amount := range resourcesOf(c.at("allocatedResources")) {
				has[resource] = max(has[resource], amount)
			}
			infeasible := slices.ContainsFunc(p.status.at("conditions").items(), func(v value) bool {
				return v.at("type").text() == "PodResizePending" && v.at("reason").text() == "Infeasible"
			})
			for resource, amount := range has {
				if requests[resource] = max(requests[resource], amount); infeasible {
					requests[resource] = amount
				}
			}
		}
	}
}

// whole replaces the sums of containers by pod-level resources where they exist. A
// pod-level limit is also the request if neither the pod nor a container requests the
// resource.
func (a *amounts) whole(v *value) {
	pod := amountsIn(v)
	for resource, limit := range pod.limits {
		if _, asked := pod.requests[resource]; asked {
			continue
		}
		if asked, some := a.requests[resource]; some && !strings.HasPrefix(resource, "hugepages-") {
			pod.requests[resource] = asked
		} else {
			pod.requests[resource] = limit
		}
	}
	for _, one := range []struct{ to, from kube.Resources }{{a.requests, pod.requests}, {a.limits, pod.limits}} {
		maps.DeleteFunc(one.from, func(resource string, _ int64) bool {
			return resource != kube.CPU && resource != kube.Memory && !strings.HasPrefix(resource, "hugepages-")
		})
		maps.Copy(one.to, one.from)
	}
}

func none() amounts { return amounts{kube.Resources{}, kube.Resources{}} }

func amountsIn(v *value) amounts {
	return amounts{resourcesOf(v.at("requests")), resourcesOf(v.at("limits"))}
}

// container returns the requests and limits of a container with defaults as the API
// server sets them: a missing request is the container's limit, or else the default
// of the namespace's LimitRange.
func (o *objects) container(namespace string, c *value, missing map[string]int) amounts {
	a := amountsIn(c.at("resources"))
	otherwise(a.requests, a.limits)
	for _, l := range o.limits {
		if l.namespace == namespace && l.kind == "Container" {
			otherwise(a.requests, l.requests)
			otherwise(a.limits, l.defaults)
		}
	}
	for _, resource := range []string{kube.CPU, kube.Memory} {
		if _, given := a.requests[resource]; !given && missing != nil {
			missing[resource]++
		}
	}
	return a
}

// otherwise adds the amounts of resources that are missing in to.
func otherwise(to, more kube.Resources) {
	for resource, amount := range more {
		if _, given := to[resource]; !given {
			to[resource] = amount
		}
	}
}

// most caps sums of amounts, far above the capacity of any node.
const most = 1 << 60

func (a *amounts) add(b amounts) {
	a.join(b, func(sum, amount int64) int64 { return min(sum+min(amount, most), most) })
}

func (a *amounts) raise(b amounts) {
	a.join(b, func(highest, amount int64) int64 { return max(highest, amount) })
}

func (a *amounts) join(b amounts, with func(a, b int64) int64) {
	for _, one := range []struct{ to, from kube.Resources }{{a.requests, b.requests}, {a.limits, b.limits}} {
		for resource, amount := range one.from {
			one.to[resource] = with(one.to[resource], amount)
		}
	}
}

// requiredNow is the field of required affinities.
const requiredNow = "requiredDuringSchedulingIgnoredDuringExecution"

// shape returns the shape of a pod: its demand and constraints on nodes.
func (o *objects) shape(p *pod, a amounts) *kube.Shape {
	s := &kube.Shape{Namespace: p.namespace, Labels: p.labels, Requests: a.requests, Limits: a.limits}
	s.NodeSelector = p.spec.at("nodeSelector").textMap()
	s.Tolerations = append(tolerationsOf(p.spec.at("tolerations")), waits...)
	s.Ports = p.ports()
	if !p.assigned {
		s.NodeName = p.spec.at("nodeName").text()
	}
	affinity := p.spec.at("affinity")
	s.Affinity = accepts(nodeTerms(affinity.in("nodeAffinity", requiredNow, "nodeSelectorTerms")), p.meta.at("annotations"))
	o.runsAs(s, p)
	s.Uses, s.Namespaced = o.uses(p), o.around.Namespaces[p.namespace]
	s.Class, s.Ends = p.spec.at("priorityClassName").text(), p.spec.at("activeDeadlineSeconds").there()
	s.With = near(affinity.in("podAffinity", requiredNow), s.Labels)
	s.AntiAffinity = near(affinity.in("podAntiAffinity", requiredNow), s.Labels)
	o.spread(s, p.spec.at("topologySpreadConstraints"))
	return s
}

// waits are the tolerations that Kubernetes adds to every pod, so that it stays for a while on a
// node that becomes not ready.
var waits = []kube.Toleration{
	{Key: kube.NotReady, Operator: "Exists", Effect: "NoExecute"},
	{Key: kube.Unreachable, Operator: "Exists", Effect: "NoExecute"},
}

// daemonWaits returns the tolerations that pods of DaemonSets get in addition.
func daemonWaits(spec *value) []kube.Toleration {
	keys := []string{"disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"}
	if spec.at("hostNetwork").truth() {
		keys = append(keys, "network-unavailable")
	}
	var all []kube.Toleration
	for _, key := range keys {
		all = append(all, kube.Toleration{Key: "node.kubernetes.io/" + key, Operator: "Exists", Effect: "NoSchedule"})
	}
	return all
}

// ports returns the host ports of a pod's containers and sidecars. With hostNetwork
// every container port is a host port.
func (p *pod) ports() []kube.Port {
	containers := p.spec.at("containers").items()
	for _, c := range p.spec.at("initContainers").items() {
		if c.at("restartPolicy").text() == "Always" {
			containers = append(containers, c)
		}
	}
	host := p.spec.at("hostNetwork").truth()
	var all []kube.Port
	for _, c := range containers {
		for _, port := range c.at("ports").items() {
			number := port.at("hostPort").number(0)
			if number == 0 && host {
				number = port.at("containerPort").number(0)
			}
			if number > 0 {
				all = append(all, kube.Port{IP: port.at("hostIP").text(), Protocol: port.at("protocol").text(), Number: number})
			}
		}
	}
	return all
}

// near reads the terms of a required affinity or anti-affinity to other pods.
func near(terms *value, labels map[string]string) []kube.Near {
	var all []kube.Near
	for _, term := range terms.items() {
		if a, ok := nearTerm(&term, labels); ok {
			all = append(all, a)
		}
	}
	return all
}

func nearTerm(term *value, labels map[string]string) (a kube.Near, ok bool) {
	key := term.at("topologyKey")
	if key.text() == "" {
		term.wrong(noTopologyKey)
		return a, false
	}
	a = kube.Near{Selector: selectorOf(term.at("labelSelector")), Namespaces: term.at("namespaces").texts()}
	if key.text() != kube.HostName { // the node name serves as domain, even on nodes without the label
		a.Key = key.text()
	}
	a.Selector = like(a.Selector, "In", term.at("matchLabelKeys"), labels)
	a.Selector = like(a.Selector, "NotIn", term.at("mismatchLabelKeys"), labels)
	if of := term.at("namespaceSelector"); of.there() {
		a.Labelled = selectorOf(of)
	}
	return a, true
}

// like adds requirements on the labels under keys to a selector: they must be equal to the pod's
// own (In), or differ from them (NotIn).
func like(s kube.Selector, operator string, keys *value, labels map[string]string) kube.Selector {
	for _, key := range keys.texts() {
		if label, ok := labels[key]; ok && s != nil {
			s = append(s, kube.Requirement{Key: key, Operator: operator, Values: []string{label}})
		}
	}
	return s
}

func (o *objects) spread(s *kube.Shape, constraints *value) {
	for _, c := range constraints.items() {
		if c.at("whenUnsatisfiable").text() == "ScheduleAnyway" {
			continue
		}
		one := o.constraint(&c, s.Labels)
		if one.MaxSkew == 0 {
			c.at("maxSkew").wrong(badSkew)
			continue
		}
		s.Spread = append(s.Spread, one)
	}
}

func (o *objects) constraint(c *value, labels map[string]string) kube.Spread {
	return kube.Spread{
		MaxSkew: c.at("maxSkew").number(1), MinDomains: c.at("minDomains").number(1), Key: c.at("topologyKey").text(),
		Selector:       like(selectorOf(c.at("labelSelector")), "In", c.at("matchLabelKeys"), labels),
		IgnoreAffinity: c.at("nodeAffinityPolicy").text() == "Ignore", HonorTaints: c.at("nodeTaintsPolicy").text() == "Honor",
	}
}

// selectorOf reads a label selector; nil if it is missing.
func selectorOf(v *value) kube.Selector {
	if !v.there() {
		return nil
	}
	return append(selecting(v.at("matchLabels").textMap()), requirements(v.at("matchExpressions"), false)...)
}

// selecting returns a selector that requires labels.
func selecting(labels map[string]string) kube.Selector {
	s := kube.Selector{}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		s = append(s, kube.Requirement{Key: key, Operator: "In", Values: []string{labels[key]}})
	}
	return s
}

// requirements reads the expressions of a selector. Selectors of nodes also support
// Gt and Lt.
func requirements(v *value, node bool) []kube.Requirement {
	known := []string{"In", "NotIn", "Exists", "DoesNotExist"}
	if node {
		known = append(known, "Gt", "Lt")
	}
	var all []kube.Requirement
	for _, e := range v.items() {
		r := kube.Requirement{Key: e.at("key").text(), Operator: e.at("operator").text(), Values: e.at("values").texts()}
		if !slices.Contains(known, r.Operator) {
			e.wrong(unknownOperator, r.Operator, strings.Join(known, ", "))
			continue
		}
		all = append(all, r)
	}
	return all
}
