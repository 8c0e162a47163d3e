package placementkind

import (
	"slices"
	"sort"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/rule"
)

// topologies converts constraints that span the clusters of a world to rules.
type topologies struct {
	*world
	spans map[string]bool // see spanned
}

// propagated is a workload with its jobs. A workload that was divided has one job for each pod.
type propagated struct {
	*format.Deployment
	owner kube.Owner
	jobs  []int
}

// propagatedOf lists the workloads of a deployment in the order of their first jobs.
func propagatedOf(d *format.Deployment) []propagated {
	var all []propagated
	at := map[kube.Owner]int{}
	for job, pods := range d.Pods {
		k, known := at[pods.Owner]
		if !known {
			k, at[pods.Owner] = len(all), len(all)
			all = append(all, propagated{Deployment: d, owner: pods.Owner})
		}
		all[k].jobs = append(all[k].jobs, job)
	}
	return all
}

// obey adds a rule for the jobs of this workload and of others.
func (w *propagated) obey(one rule.Rule, more ...propagated) {
	for _, x := range append([]propagated{*w}, more...) {
		for _, job := range x.jobs {
			one.Jobs = append(one.Jobs, rule.Selector{Value: w.Jobs().ID(job)})
		}
	}
	w.Rules = append(w.Rules, one)
}

// unhonoured records a field of a policy that Berth ignores.
func (w *propagated) unhonoured(p *format.Propagation, field, says string) {
	w.Unhonoured = append(w.Unhonoured, format.Unhonoured{Object: p.Object, Field: field, Says: w.owner.Kind + " " + w.owner.Name + ": " + says, Line: p.Line})
}

// propagate divides the jobs whose pods may go to several clusters, and converts the clusters that
// policies select to rules.
func (e *topologies) propagate() {
	for i := range e.deployments {
		d := &e.deployments[i]
		divides := func(job int) bool {
			p := &d.Pods[job]
			return p.Policy != nil && p.Policy.Divided && p.Pods > 1
		}
		if anyJob(d, divides) {
			*d = d.SplitJobs(divides)
		}
		for _, w := range propagatedOf(d) {
			if p := d.Pods[w.jobs[0]].Policy; p != nil {
				e.affinity(&w, p)
				e.spreads(&w, p)
				e.weights(&w, p)
				for _, other := range p.Others {
					w.unhonoured(p, other.Field, other.Says)
				}
			}
		}
	}
}

func anyJob(d *format.Deployment, which func(int) bool) bool {
	for job := range d.Pods {
		if which(job) {
			return true
		}
	}
	return false
}

// affinity restricts a workload to the clusters of the first affinity in its policy with a cluster
// that accepts the workload.
func (e *topologies) affinity(w *propagated, p *format.Propagation) {
	var chosen []string
	for k := range p.Affinities {
		ids := e.chosen(&p.Affinities[k])
		taken := slices.ContainsFunc(ids, func(id string) bool { return e.takes(w, id) })
		if k == 0 || taken {
			chosen = ids
		}
		if taken {
			break
		}
	}
	switch {
	case p.Affinities == nil:
	case chosen == nil: // no cluster is left
		w.obey(rule.Rule{Verb: rule.Never, Where: clusters(e.chosen(&format.ClusterAffinity{})...)})
	default:
		w.obey(rule.Rule{Verb: rule.Only, Where: clusters(chosen...)})
	}
	all := len(chosen)
	if p.Affinities == nil {
		all = e.federation.Clusters().Len()
	}
	single := slices.ContainsFunc(p.Spread, func(s format.ClusterSpread) bool { return s.By == rule.Cluster && s.Max == 1 })
	if !p.Divided && all > 1 && !single {
		w.unhonoured(p, "spec.placement.replicaScheduling", "Karmada runs all its pods in each cluster that the policy chooses; Berth places one copy")
	}
}

// chosen lists the ids of the clusters that an affinity selects.
func (e *topologies) chosen(a *format.ClusterAffinity) (ids []string) {
	for i := range e.federation.Clusters().Len() {
		if a.Chooses(e.federation, i) {
			ids = append(ids, e.federation.Clusters().ID(i))
		}
	}
	return ids
}

// takes reports whether the nodes of a cluster accept a pod of a workload or, if the workload is
// not divided, all its pods.
func (e *topologies) takes(w *propagated, id string) bool {
	at, _ := e.federation.Cluster(id)
	nodes := e.federation.NodesOf(at)
	if nodes == nil {
		return true
	}
	return kube.NewPacker(nodes, []kube.Group{w.Pods[w.jobs[0]].Group}, 0).Pack([]int{0}).Verdict != kube.Cannot
}

// spreads limits the number of clusters, or of values of a cluster field, that the pods use.
func (e *topologies) spreads(w *propagated, p *format.Propagation) {
	const field = "spec.placement.spreadConstraints"
	for _, s := range p.Spread {
		n := len(w.jobs)
		by := s.By
		if by == rule.Cluster {
			by = "" // count the clusters themselves
		}
		known := s.By == rule.Cluster || e.says(s.By)
		switch {
		case !known:
			w.unhonoured(p, field, "no cluster says its "+s.By)
			continue
		case s.Max == 1 && by != "":
			w.obey(rule.Rule{Verb: rule.Together, By: by})
		case s.Max > 0 && (s.Max < n || s.Max == 1):
			w.obey(rule.Rule{Verb: rule.Clusters, By: by, N: s.Max})
		}
		switch {
		case s.Min <= 1:
		case n == 1 && !p.Divided:
			w.unhonoured(p, field, "its pods stay together, on one cluster: it has no copies in others")
		case s.Min >= n:
			w.obey(rule.Rule{Verb: rule.Apart, By: s.By})
		default:
			w.obey(rule.Rule{Verb: rule.Least, By: by, N: s.Min})
		}
	}
}

// says reports whether some cluster has an attribute. It sets the attribute on clusters that have a
// label of that name.
func (e *topologies) says(attribute string) bool {
	clusters := e.federation.Clusters()
	for i, m := range e.federation.Members {
		if value := m.Labels[attribute]; value != "" && clusters.Attribute(attribute, i) == "" {
			clusters.SetAttribute(attribute, i, value)
		}
	}
	return slices.Contains(clusters.Attributes(), attribute)
}

// weights divides the pods by static weights. The clusters with the highest weights get the
// remainder.
func (e *topologies) weights(w *propagated, p *format.Propagation) {
	if !p.Divided || len(p.Weights) == 0 {
		return
	}
	type part struct {
		id     string
		weight int
	}
	var parts []part
	sum := 0
	for i := range e.federation.Clusters().Len() {
		weight := 0
		for k := range p.Weights {
			if p.Weights[k].Target.Chooses(e.federation, i) {
				weight = max(weight, p.Weights[k].Weight)
			}
		}
		if weight > 0 && (p.Affinities == nil || slices.ContainsFunc(p.Affinities, func(a format.ClusterAffinity) bool { return a.Chooses(e.federation, i) })) {
			parts, sum = append(parts, part{e.federation.Clusters().ID(i), weight}), sum+weight
		}
	}
	sort.SliceStable(parts, func(i, j int) bool { return parts[j].weight < parts[i].weight })
	left := len(w.jobs)
	for _, x := range parts {
		left -= len(w.jobs) * x.weight / sum
	}
	var ids []string
	for i, x := range parts {
		one := rule.Rule{Verb: rule.Count, N: len(w.jobs) * x.weight / sum, Where: clusters(x.id)}
		if i < left {
			one.N++
		}
		if one.N == 0 {
			one.Verb = rule.Never
		}
		w.obey(one)
		ids = append(ids, x.id)
	}
	w.obey(rule.Rule{Verb: rule.Only, Where: clusters(ids...)})
}

func clusters(ids ...string) rule.Match { return rule.Match{Attribute: rule.Cluster, Values: ids} }
