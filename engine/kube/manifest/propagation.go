package manifest

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/rule"
)

// selection is a resource selector of a Karmada policy.
type selection struct {
	policy   *object
	rank     [3]int        // 1 for a PropagationPolicy, the policy's priority, and the specificity of the selector
	selector kube.Selector // labels of the workloads; nil: any
}

// The specificity of a resource selector.
const (
	byKind = iota
	byLabels
	byName
)

// claims returns the selectors of all policies by the workloads that they select; "" matches any
// namespace or name. The map keeps lookups fast even with a policy for each workload.
func (o *objects) claims() map[kube.Owner][]selection {
	all := map[kube.Owner][]selection{}
	add := func(p *object) {
		priority := p.in("spec", "priority").whole(math.MinInt32, 0)
		for _, s := range p.in("spec", "resourceSelectors").items() {
			c := selection{policy: p, rank: [3]int{0, priority, byKind}}
			on := kube.Owner{Kind: s.at("kind").text(), Namespace: s.at("namespace").text(), Name: s.at("name").text()}
			if p.kind == "PropagationPolicy" {
				c.rank[0], on.Namespace = 1, p.namespace
			}
			if labels := s.at("labelSelector"); on.Name != "" {
				c.rank[2] = byName
			} else if labels.there() {
				c.rank[2], c.selector = byLabels, selectorOf(labels)
			}
			all[on] = append(all[on], c)
		}
	}
	o.each("PropagationPolicy", add)
	o.each("ClusterPropagationPolicy", add)
	return all
}

// propagated returns the policy that propagates a workload, or nil.
func (o *objects) propagated(w *workload, claims map[kube.Owner][]selection) *object {
	var best *selection
	for _, on := range []kube.Owner{w.owner(), {Kind: w.kind, Namespace: w.namespace}, {Kind: w.kind, Name: w.name.name}, {Kind: w.kind}} {
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
	return best.policy
}

// policyOf converts the placement of a policy.
func policyOf(p *object) *format.Propagation {
	if p == nil {
		return nil
	}
	at := p.in("spec", "placement")
	one := &format.Propagation{Object: p.kind + "/" + p.name.name, Line: int(p.value.node.line)}
	if of := at.at("clusterAffinity"); of.there() {
		one.Affinities = []format.ClusterAffinity{clustersChosen(of)}
	}
	one.Affinities = append(one.Affinities, each(at.at("clusterAffinities"), clustersChosen)...)
	for _, c := range at.at("spreadConstraints").items() {
		by := cmp.Or(c.at("spreadByField").text(), c.at("spreadByLabel").text(), rule.Cluster) // Karmada's default
		one.Spread = append(one.Spread, format.ClusterSpread{By: by, Min: c.at("minGroups").number(0), Max: c.at("maxGroups").number(0)})
	}
	replicas := at.at("replicaScheduling")
	one.Divided = replicas.there() && replicas.at("replicaSchedulingType").text() != "Duplicated"
	one.Weights = each(replicas.in("weightPreference", "staticWeightList"), func(w *value) format.ClusterWeight {
		return format.ClusterWeight{Target: clustersChosen(w.at("targetCluster")), Weight: w.at("weight").number(1)}
	})
	for _, other := range [][]string{
		{"its pods wait until the suspension ends: Berth places them as if it had", "suspension"},
		{"workloads are not kept near or apart by the groups that their labels name", "placement", "workloadAffinity"},
		{"static weights alone divide pods: without them Berth divides by cost", "placement", "replicaScheduling", "weightPreference", "dynamicWeight"},
	} {
		if field := p.in(append([]string{"spec"}, other[1:]...)...); field.there() {
			one.Others = append(one.Others, format.PolicyField{Field: field.own(), Says: other[0]})
		}
	}
	for _, of := range at.at("clusterAffinities").items() {
		if field := of.at("overflowAffinities"); field.there() {
			one.Others = append(one.Others, format.PolicyField{Field: field.own(), Says: "pods that do not fit do not go on to other clusters"})
		}
	}
	return one
}

// clustersChosen reads a cluster affinity of Karmada.
func clustersChosen(v *value) format.ClusterAffinity {
	return format.ClusterAffinity{
		Names: v.at("clusterNames").texts(), Exclude: v.at("exclude").texts(), Labels: selectorOf(v.at("labelSelector")),
		Fields: requirements(v.in("fieldSelector", "matchExpressions"), false),
	}
}

// clusterTolerations returns the cluster taints that a policy tolerates. As in
// Karmada, the tolerations of the pods do not count.
func clusterTolerations(p *object) []kube.Toleration {
	if p == nil {
		return nil
	}
	return tolerationsOf(p.in("spec", "placement", "clusterTolerations"))
}

// before reports whether Karmada prefers policy c to d for a workload that both
// select: a PropagationPolicy, then higher priority, then the more specific selector,
// then the first name in alphabetical order.
func (c *selection) before(d *selection) bool {
	return cmp.Or(slices.Compare(d.rank[:], c.rank[:]), cmp.Compare(c.policy.name.name, d.policy.name.name)) < 0
}

func tolerationsOf(v *value) []kube.Toleration {
	return each(v, func(t *value) kube.Toleration {
		return kube.Toleration{Key: t.at("key").text(), Operator: t.at("operator").text(), Value: t.at("value").text(), Effect: t.at("effect").text()}
	})
}

// taintsOf reads the taints of a node or a cluster.
func taintsOf(v *value) []kube.Taint {
	return each(v, func(t *value) kube.Taint {
		return kube.Taint{Key: t.at("key").text(), Value: t.at("value").text(), Effect: t.at("effect").text()}
	})
}
