package kubernetes

import (
	"cmp"
	"slices"
	"strconv"

	"berth/engine/packing"
)

// claim is what a policy of Karmada says of the workloads that it chooses.
type claim struct {
	policy   *object
	rank     [3]int           // whether it is of the namespace, its priority, and how closely it names them
	selector packing.Selector // of their labels; nil: there is none
}

// target is which workloads a claim is on: "" stands for any namespace, or any name.
type target struct{ kind, namespace, name string }

// How closely a resource selector of a policy names a workload.
const (
	byKind = iota
	byLabels
	byName
)

// claims returns those of all policies, by what they are on: there may be a policy for
// each workload.
func (o *objects) claims() map[target][]claim {
	all := map[target][]claim{}
	for i := range o.propagations {
		p := &o.propagations[i]
		o.about(p.place)
		priority, _ := strconv.Atoi(p.in("spec", "priority").text())
		for _, s := range p.in("spec", "resourceSelectors").items() {
			c := claim{policy: p, rank: [3]int{0, priority, byKind}}
			on := target{s.at("kind").text(), s.at("namespace").text(), s.at("name").text()}
			if p.kind == "PropagationPolicy" {
				c.rank[0], on.namespace = 1, p.namespace
			}
			if labels := s.at("labelSelector"); on.name != "" {
				c.rank[2] = byName
			} else if labels.there() {
				c.rank[2], c.selector = byLabels, selectorOf(labels)
			}
			all[on] = append(all[on], c)
		}
	}
	return all
}

// tolerations returns what a workload tolerates of clusters: as Karmada does it, the
// clusterTolerations of the policy that propagates it, not those of its pods.
func (o *objects) tolerations(w *workload, claims map[target][]claim) []packing.Toleration {
	var best *claim
	for _, on := range []target{{w.kind, w.namespace, w.name.name}, {w.kind, w.namespace, ""}, {w.kind, "", w.name.name}, {w.kind, "", ""}} {
		for i := range claims[on] {
			c := &claims[on][i]
			if (c.selector == nil || c.selector.Matches(w.meta.at("labels").textMap())) && (best == nil || c.before(best)) {
				best = c
			}
		}
	}
	if best == nil {
		return nil
	}
	o.about(best.policy.place)
	return tolerationsOf(best.policy.in("spec", "placement", "clusterTolerations"))
}

// before says whether Karmada takes this policy rather than another one for a workload
// that both choose: that of its namespace, of higher priority, that names it more
// closely, whose name comes first.
func (c *claim) before(d *claim) bool {
	return cmp.Or(slices.Compare(d.rank[:], c.rank[:]), cmp.Compare(c.policy.name.name, d.policy.name.name)) < 0
}

func tolerationsOf(v *value) []packing.Toleration {
	var all []packing.Toleration
	for _, t := range v.items() {
		all = append(all, packing.Toleration{
			Key: t.at("key").text(), Operator: t.at("operator").text(), Value: t.at("value").text(), Effect: t.at("effect").text(),
		})
	}
	return all
}

// taintsOf reads those of a node or of a cluster.
func taintsOf(v *value) []packing.Taint {
	var all []packing.Taint
	for _, t := range v.items() {
		all = append(all, packing.Taint{Key: t.at("key").text(), Value: t.at("value").text(), Effect: t.at("effect").text()})
	}
	return all
}
