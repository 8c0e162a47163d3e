package kubernetes

import (
	"cmp"
	"slices"
	"strconv"

	"berth/engine/packing"
)

// tolerations returns what a workload tolerates of clusters: as Karmada does it, the
// clusterTolerations of the policy that propagates it, not those of its pods.
func (o *objects) tolerations(w *workload) []packing.Toleration {
	var best *object
	for i := range o.propagations {
		if p := &o.propagations[i]; p.chooses(w) != notAtAll && (best == nil || p.before(best, w)) {
			best = p
		}
	}
	if best == nil {
		return nil
	}
	o.about(best.place)
	return tolerationsOf(best.in("spec", "placement", "clusterTolerations"))
}

// How closely a resource selector of a policy names a workload.
const (
	notAtAll = iota
	byKind
	byLabels
	byName
)

// chooses says how closely a policy chooses a workload.
func (p *object) chooses(w *workload) int {
	closest := notAtAll
	for _, s := range p.in("spec", "resourceSelectors").items() {
		namespace := cmp.Or(s.at("namespace").text(), w.namespace)
		if p.kind == "PropagationPolicy" {
			namespace = p.namespace
		}
		if s.at("kind").text() != w.kind || namespace != w.namespace {
			continue
		}
		how, labels := byKind, s.at("labelSelector")
		switch called := s.at("name").text(); {
		case called == w.name.name:
			how = byName
		case called != "":
			continue
		case labels.there() && !selectorOf(labels).Matches(w.meta.at("labels").textMap()):
			continue
		case labels.there():
			how = byLabels
		}
		closest = max(closest, how)
	}
	return closest
}

// before says whether Karmada takes this policy rather than another one for a workload
// that both choose: that of its namespace, of higher priority, that names it more
// closely, whose name comes first.
func (p *object) before(q *object, w *workload) bool {
	rank := func(p *object) []int {
		own := 0
		if p.kind == "PropagationPolicy" {
			own = 1
		}
		priority, _ := strconv.Atoi(p.in("spec", "priority").text())
		return []int{own, priority, p.chooses(w)}
	}
	return cmp.Or(slices.Compare(rank(q), rank(p)), cmp.Compare(p.name.name, q.name.name)) < 0
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
