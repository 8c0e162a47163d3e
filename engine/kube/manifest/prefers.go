package manifest

import (
	"maps"
	"strings"

	"berth/engine/kube"
)

// preferredNow is the field of preferred affinities.
const preferredNow = "preferredDuringSchedulingIgnoredDuringExecution"

// prefers reads the preferences that rank the feasible nodes for a pod.
func (o *objects) prefers(p *pod, s *kube.Shape) *kube.Preferences {
	affinity := p.spec.at("affinity")
	out := &kube.Preferences{}
	out.Assumed, out.Scored = o.assumed(p, s)
	out.Nodes = each(affinity.in("nodeAffinity", preferredNow), func(one *value) kube.Weighted {
		return kube.Weighted{Weight: int64(one.at("weight").number(0)), AffinityTerm: nodeTerm(one.at("preference"))}
	})
	out.Near = append(o.weighted(affinity.in("podAffinity", preferredNow), 1, s.Labels), o.weighted(affinity.in("podAntiAffinity", preferredNow), -1, s.Labels)...)
	for _, c := range p.spec.at("topologySpreadConstraints").items() {
		if c.at("whenUnsatisfiable").text() == "ScheduleAnyway" {
			out.Spread = append(out.Spread, o.constraint(&c, s.Labels))
		}
	}
	for _, list := range []string{"initContainers", "containers"} {
		for _, c := range p.spec.at(list).items() {
			out.Images = append(out.Images, fullImage(c.at("image").text()))
		}
	}
	return out
}

// weighted reads preferred pod affinity terms; sign is -1 for anti-affinity.
func (o *objects) weighted(terms *value, sign int64, labels map[string]string) []kube.WeightedNear {
	var all []kube.WeightedNear
	for _, one := range terms.items() {
		if a, ok := nearTerm(one.at("podAffinityTerm"), labels); ok {
			all = append(all, kube.WeightedNear{Near: a, Weight: sign * int64(one.at("weight").number(0))})
		}
	}
	return all
}

// assumed returns the CPU and memory of a pod for scoring (see [kube.Shape.Assumed]). Like the
// scheduler, it assumes default amounts for containers that request none. When the scheduler scores
// a node for a pod, NodeResourcesFit ignores the pod-level resources of that pod
// (resource_allocation.go of v1.34 sets no flags).
func (o *objects) assumed(p *pod, s *kube.Shape) (there, own [2]int64) {
	level := *p
	level.containers = true
	a := o.amountsOf(&level, nil, map[string]int64{kube.CPU: kube.AssumedCPU, kube.Memory: kube.AssumedMemory})
	own = [2]int64{a.requests[kube.CPU], a.requests[kube.Memory]}
	if p.spec.at("resources").there() {
		there, _ = (&kube.Shape{Requests: s.Requests}).Assumed()
		return there, own
	}
	return own, own
}

// fullImage returns the name of an image with its tag, as nodes report it.
func fullImage(name string) string {
	if name != "" && strings.LastIndexByte(name, ':') <= strings.LastIndexByte(name, '/') {
		return name + ":latest"
	}
	return name
}

// imagesOf reads the images on a node and their sizes in bytes.
func imagesOf(v *value) map[string]int64 {
	var all map[string]int64
	for _, image := range v.items() {
		for _, name := range image.at("names").texts() {
			if all == nil {
				all = map[string]int64{}
			}
			all[name], _ = image.at("sizeBytes").quantity("")
		}
	}
	return all
}

// spreadByDefault returns the constraints that kube-scheduler adds to pods without constraints:
// spread over nodes and zones among the pods that the matching Services and the controller select.
func (o *objects) spreadByDefault(s *kube.Shape, controller kube.Owner) []kube.Spread {
	labels := map[string]string{}
	for i := range o.services {
		if x := &o.services[i]; len(x.selector) > 0 && x.namespace == s.Namespace && kube.Covers(x.selector, s.Labels) {
			maps.Copy(labels, x.selector)
		}
	}
	selector := append(selecting(labels), o.selectors[controller]...)
	if len(selector) == 0 {
		return nil
	}
	return []kube.Spread{
		{MaxSkew: 3, MinDomains: 1, Key: kube.HostName, Selector: selector, Lenient: true},
		{MaxSkew: 5, MinDomains: 1, Key: labelsBy["zone"][0], Selector: selector, Lenient: true},
	}
}
