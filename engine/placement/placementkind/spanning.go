package placementkind

import (
	"berth/engine/packing"
	"berth/engine/rule"
)

// span makes rules of the constraints of pods whose topologies reach over clusters: those
// that one file of nodes was divided into, such as the zones of a region. Each of these
// has one value of the label then, which becomes an attribute of the cluster.
func (e *Prepared) span() {
	for i := range e.deployments {
		d := &e.deployments[i]
		if d.Pods == nil {
			continue
		}
		if divides := func(job int) bool { return d.Pods[job].Pods > 1 && e.spansItself(d.Pods[job].Shape) }; anyJob(d, divides) {
			*d = d.SplitJobs(divides)
		}
		all := propagatedOf(d)
		for k := range all {
			e.spread(&all[k])
			e.keepApart(&all[k], all[k:])
			e.keepFromRunning(&all[k])
		}
	}
}

// spansItself says whether pods of a shape are kept apart, or spread, over clusters.
func (e *Prepared) spansItself(s *packing.Shape) bool {
	for i := range s.Spread {
		if s.Counts(&s.Spread[i], s) && e.spanned(s.Spread[i].Key) {
			return true
		}
	}
	for i := range s.AntiAffinity {
		if a := &s.AntiAffinity[i]; a.Chooses(s, s) && e.spanned(a.Key) {
			return true
		}
	}
	return false
}

// spanned says whether the domains of a label are made of whole clusters of one file, and
// gives these its values as an attribute.
func (e *Prepared) spanned(key string) bool {
	known, asked := e.spans[key]
	if !asked {
		if e.spans == nil {
			e.spans = map[string]bool{}
		}
		known = e.spansClusters(key)
		e.spans[key] = known
	}
	return known
}

func (e *Prepared) spansClusters(key string) bool {
	f := e.federation
	values := make([]string, f.Clusters().Len())
	for i := range values {
		nodes := f.NodesOf(i)
		if nodes == nil || len(nodes.Nodes) == 0 || f.Parts[i] == "" || f.Parts[i] != f.Parts[0] || len(values) < 2 {
			return false
		}
		values[i] = nodes.Nodes[0].Labels[key]
		for n := range nodes.Nodes {
			if values[i] == "" || nodes.Nodes[n].Labels[key] != values[i] {
				return false
			}
		}
	}
	for i, value := range values {
		f.Clusters().SetAttribute(key, i, value)
	}
	return true
}

func (w *propagated) shape() *packing.Shape { return w.Pods[w.jobs[0]].Shape }

func (e *Prepared) spread(w *propagated) {
	s := w.shape()
	for i := range s.Spread {
		if c := &s.Spread[i]; len(w.jobs) > 1 && s.Counts(c, s) && e.spanned(c.Key) {
			w.obey(rule.Rule{Verb: rule.Spread, By: c.Key, N: c.MaxSkew})
		}
	}
}

// keepApart keeps the pods of a workload apart from each other and from those of others.
func (e *Prepared) keepApart(w *propagated, others []propagated) {
	for _, o := range others {
		itself := o.owner == w.owner
		for _, pair := range [][2]*packing.Shape{{w.shape(), o.shape()}, {o.shape(), w.shape()}} {
			for i := range pair[0].AntiAffinity {
				a := &pair[0].AntiAffinity[i]
				if !a.Chooses(pair[0], pair[1]) || !e.spanned(a.Key) {
					continue
				}
				if itself {
					w.obey(rule.Rule{Verb: rule.Apart, By: a.Key})
					continue
				}
				for _, one := range w.jobs {
					for _, other := range o.jobs {
						x := propagated{Deployment: w.Deployment, jobs: []int{one, other}}
						x.obey(rule.Rule{Verb: rule.Apart, By: a.Key})
					}
				}
			}
			if itself {
				break
			}
		}
	}
}

// keepFromRunning keeps a workload from the domains of pods that run in other clusters and
// that it stays away from, or that stay away from it.
func (e *Prepared) keepFromRunning(w *propagated) {
	s := w.shape()
	for _, nodes := range e.federation.Nodes {
		if nodes == nil {
			continue
		}
		for i := range nodes.Running {
			pod := &nodes.Running[i]
			for _, pair := range [][2]*packing.Shape{{s, pod.Shape}, {pod.Shape, s}} {
				for k := range pair[0].AntiAffinity {
					if a := &pair[0].AntiAffinity[k]; a.Chooses(pair[0], pair[1]) && e.spanned(a.Key) {
						w.never(a.Key, nodes.Nodes[pod.Node].Labels[a.Key])
					}
				}
			}
		}
	}
}

// never keeps a workload from the clusters with a value, once.
func (w *propagated) never(attribute, value string) {
	before := len(w.Rules)
	w.obey(rule.Rule{Verb: rule.Never, Where: rule.Match{Attribute: attribute, Values: []string{value}}})
	made := w.Rules[before].String()
	for _, r := range w.Rules[:before] {
		if r.String() == made {
			w.Rules = w.Rules[:before]
			return
		}
	}
}
