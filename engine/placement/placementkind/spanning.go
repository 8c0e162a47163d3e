package placementkind

import (
	"slices"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/rule"
)

// span converts pod constraints to rules if their topologies span clusters. A node file is divided
// by such a topology, for example by the zones of a region, or by the zones and regions of a
// federation's clusters. Each cluster then has one value of the label, which becomes its attribute.
func (e *topologies) span() {
	for i := range e.deployments {
		d := &e.deployments[i]
		if d.Pods == nil {
			continue
		}
		if divides := func(job int) bool { return e.divided() && d.Pods[job].Pods > 1 && e.spansItself(d.Pods[job].Shape) }; anyJob(d, divides) {
			*d = d.SplitJobs(divides)
		}
		all := propagatedOf(d)
		for k := range all {
			e.keepNear(&all[k], all)
			e.keepApart(&all[k], all[k:])
			e.keepFromRunning(&all[k])
		}
		for k := range all {
			e.spread(&all[k])
		}
	}
}

// divided reports whether all clusters are parts of one cluster.
func (e *topologies) divided() bool {
	all := e.federation.Members
	return len(all) > 1 && all[0].Part != "" && !slices.ContainsFunc(all, func(m format.Member) bool { return m.Part != all[0].Part })
}

// spansItself reports whether pods of a shape must be apart, or spread, across clusters.
func (e *topologies) spansItself(s *kube.Shape) bool {
	for i := range s.Spread {
		if s.Counts(&s.Spread[i], s) && e.spanned(s.Spread[i].Key) {
			return true
		}
	}
	return len(e.avoided(s, s)) > 0
}

// avoided returns the labels, among those that span clusters, in whose domains pods of two shapes
// keep apart: first as a demands, then as b does.
func (e *topologies) avoided(a, b *kube.Shape) (keys []string) {
	for _, pair := range [][2]*kube.Shape{{a, b}, {b, a}} {
		for i := range pair[0].AntiAffinity {
			if near := &pair[0].AntiAffinity[i]; near.Chooses(pair[0], pair[1]) && e.spanned(near.Key) {
				keys = append(keys, near.Key)
			}
		}
	}
	return keys
}

// spanned reports whether each domain of a label consists of whole clusters. If so, it sets the
// label as an attribute of the clusters.
func (e *topologies) spanned(key string) bool {
	known, asked := e.spans[key]
	if !asked {
		known = e.spansClusters(key)
		e.spans[key] = known
	}
	return known
}

// wide maps labels with the same meaning in all clusters of a federation to Karmada's names of
// cluster fields.
var wide = map[string]string{
	"topology.kubernetes.io/region": "region", "failure-domain.beta.kubernetes.io/region": "region",
	"topology.kubernetes.io/zone": "zone", "failure-domain.beta.kubernetes.io/zone": "zone",
	"topology.istio.io/cluster": "", rule.Cluster: "",
}

func (e *topologies) spansClusters(key string) bool {
	f := e.federation
	field, known := wide[key] // within a divided cluster, the node label cluster has no meaning
	values := make([]string, f.Clusters().Len())
	if len(values) < 2 || key == "" || known == e.divided() && (key == rule.Cluster || !known) {
		return false
	}
	for i := range values {
		nodes := f.NodesOf(i)
		switch {
		case key == rule.Cluster:
			values[i] = f.Clusters().ID(i)
		case nodes == nil && field != "":
			values[i] = f.Member(i).Labels[field]
		case nodes != nil && len(nodes.Nodes) > 0:
			values[i] = nodes.Nodes[0].Labels[key]
			if slices.ContainsFunc(nodes.Nodes, func(n kube.Node) bool { return n.Labels[key] != values[i] }) {
				return false
			}
		}
		if values[i] == "" {
			return false
		}
	}
	if key == rule.Cluster {
		return true // every cluster has it
	}
	for i, value := range values {
		f.Clusters().SetAttribute(key, i, value)
	}
	return true
}

func (w *propagated) shape() *kube.Shape { return w.Pods[w.jobs[0]].Shape }

// become replaces the shape of a workload's pods by one without the constraints that are now rules.
func (w *propagated) become(s *kube.Shape) {
	for _, job := range w.jobs {
		w.Pods[job].Shape = s
	}
}

// spread converts the spread constraints of a workload with one job per pod to rules. It counts
// pods that may be in other clusters, but not running pods.
func (e *topologies) spread(w *propagated) {
	own := *w.shape()
	s := w.shape()
	own.Spread = nil
	for i := range s.Spread {
		c := &s.Spread[i]
		switch {
		case !s.Counts(c, s), len(w.jobs) == 1 && (!e.divided() || w.Pods[w.jobs[0]].Pods == 1):
			own.Spread = append(own.Spread, *c)
		case e.spanned(c.Key):
			by, domains := e.domains(w, c)
			one := rule.Rule{Verb: rule.Spread, By: by, N: c.MaxSkew}
			if domains < c.MinDomains {
				one.Verb = rule.Most
			}
			w.obey(one)
			if e.running("", func(o *kube.Shape) bool { return s.Counts(c, o) }) != nil {
				w.list("topologySpreadConstraints", "pods that run are not counted where a constraint reaches over clusters")
			}
		default:
			own.Spread = append(own.Spread, *c)
			if e.divided() {
				w.list("topologySpreadConstraints", "the label "+c.Key+" has several values in a cluster: pods are counted inside each cluster")
			}
		}
	}
	if len(own.Spread) < len(s.Spread) {
		w.become(&own)
	}
}

// domains returns the attribute with the domains of a spread constraint and the number of domains.
// Clusters that the pods' affinity excludes do not count.
func (e *topologies) domains(w *propagated, c *kube.Spread) (attribute string, domains int) {
	clusters, s := e.federation.Clusters(), w.shape()
	seen := map[string]bool{}
	var counts []int
	for i := range clusters.Len() {
		nodes := e.federation.NodesOf(i)
		if nodes == nil || slices.ContainsFunc(nodes.Nodes, func(n kube.Node) bool { return s.CountsNode(c, s.Spread, &n) }) {
			counts = append(counts, i)
			seen[clusters.Attribute(c.Key, i)] = true
		}
	}
	attribute = c.Key
	if len(counts) < clusters.Len() {
		attribute = c.Key + " of " + w.owner.Name
		for _, i := range counts {
			clusters.SetAttribute(attribute, i, clusters.Attribute(c.Key, i))
		}
	}
	return attribute, len(seen)
}

// running returns the values of a spanned label, or of "", on clusters where pods with a matching
// shape run.
func (e *topologies) running(key string, which func(*kube.Shape) bool) (values []string) {
	for i, nodes := range e.federation.Listed() {
		if slices.ContainsFunc(nodes.Pods, func(p *kube.Pod) bool { return which(p.Shape) }) {
			if value := e.federation.Clusters().Attribute(key, i); !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
	}
	return values
}

// list records a pod constraint of a workload that is not fully honoured.
func (w *propagated) list(field, says string) {
	w.Unhonoured = append(w.Unhonoured, format.Unhonoured{Object: w.owner.Kind + "/" + w.owner.Name, Field: field, Says: says})
}

// keepNear keeps a workload near the pods that its affinity selects, if all its terms span
// clusters. A term within clusters implies the others.
func (e *topologies) keepNear(w *propagated, all []propagated) {
	s := w.shape()
	if len(s.With) == 0 || slices.ContainsFunc(s.With, func(a kube.Near) bool { return !e.spanned(a.Key) }) {
		return
	}
	targets, pods := []propagated{}, 0
	for _, o := range all {
		if o.owner != w.owner && s.Seeks(o.shape()) {
			targets = append(targets, o)
			pods += len(o.jobs)
		}
	}
	const field = "affinity.podAffinity"
	switch {
	case e.running("", s.Seeks) != nil:
		for i := range s.With {
			key := s.With[i].Key
			w.obey(rule.Rule{Verb: rule.Only, Where: rule.Match{Attribute: key, Values: e.running(key, s.Seeks)}})
		}
		if pods > 0 {
			w.list(field, "over clusters, the pods that run count, and not those that are placed with it")
		}
	case s.Seeks(s):
		w.near(nil)
	case pods == 1:
		w.near(targets)
	case pods > 1:
		w.list(field, "it is kept near pods of several clusters only where all of these are in one cluster")
		return
	default:
		return // the nodes will report that no such pod exists
	}
	own := *s
	own.With = nil
	w.become(&own)
}

// near keeps the pods of a workload and of others together by each term of its affinity.
func (w *propagated) near(others []propagated) {
	for i := range w.shape().With {
		if len(w.jobs)+len(others) > 1 {
			w.obey(rule.Rule{Verb: rule.Together, By: w.shape().With[i].Key}, others...)
		}
	}
}

// keepApart keeps the pods of a workload apart from each other and from other workloads, as their
// anti-affinities demand.
func (e *topologies) keepApart(w *propagated, others []propagated) {
	for _, o := range others {
		keys := e.avoided(w.shape(), o.shape())
		if o.owner == w.owner {
			for _, key := range keys[:len(keys)/2] { // both shapes demand the same
				if len(w.jobs) > 1 {
					w.obey(rule.Rule{Verb: rule.Apart, By: key})
				}
			}
			continue
		}
		for _, key := range keys {
			for _, one := range w.jobs {
				for _, other := range o.jobs {
					x := propagated{Deployment: w.Deployment, jobs: []int{one, other}}
					x.obey(rule.Rule{Verb: rule.Apart, By: key})
				}
			}
		}
	}
}

// keepFromRunning keeps a workload out of the domains of running pods if its anti-affinity, or
// theirs, demands it.
func (e *topologies) keepFromRunning(w *propagated) {
	s := w.shape()
	for at, nodes := range e.federation.Listed() {
		for _, pod := range nodes.Pods {
			for _, key := range e.avoided(s, pod.Shape) {
				w.never(key, e.federation.Clusters().Attribute(key, at))
			}
		}
	}
}

// never adds a rule that keeps a workload off the clusters with a value, unless it exists already.
func (w *propagated) never(attribute, value string) {
	before := len(w.Rules)
	w.obey(rule.Rule{Verb: rule.Never, Where: rule.Match{Attribute: attribute, Values: []string{value}}})
	made := w.Rules[before].String()
	if slices.ContainsFunc(w.Rules[:before], func(r rule.Rule) bool { return r.String() == made }) {
		w.Rules = w.Rules[:before]
	}
}
