package graph

import (
	"slices"

	gonum "gonum.org/v1/gonum/graph"

	"berth/engine/rule"
)

// Label is a label type with one figure for each of its fields.
type Label struct {
	Type   *LabelType
	Values []float64
}

// Deployment is the graph D = (N_D, E_D) of jobs and their dependencies (section 4.1.1 of the
// thesis). It must not be changed while in use. The first call of Neighbours builds an index; until
// then, goroutines must not share the deployment.
type Deployment struct {
	network
	DOTName string // name of the graph in the DOT file, or ""
	Rules   []rule.Rule
}

var _ gonum.Undirected = (*Deployment)(nil)

// NewDeployment returns a deployment without jobs.
func NewDeployment() *Deployment {
	return &Deployment{network: newNetwork(Job, Dependency)}
}

// Jobs returns the jobs, in the order in which they were added.
func (d *Deployment) Jobs() *Elements { return &d.nodes }

// Dependencies returns the dependencies, in the order in which they were added.
func (d *Deployment) Dependencies() *Elements { return &d.edges }

// AddJob returns the number of the job with an id. It adds the job if it is new.
func (d *Deployment) AddJob(id string) int { return d.addNode(id) }

// Job returns the number of the job with the given id.
func (d *Deployment) Job(id string) (int, bool) { i, ok := d.index[id]; return i, ok }

// AddDependency joins two different jobs. If they are already joined, it merges the labels instead:
// it keeps the tighter of two bounds, and adds volumes.
func (d *Deployment) AddDependency(a, b int, labels ...Label) (dependency int, merged bool) {
	k, added := d.addEdge(a, b)
	for _, l := range labels {
		values := l.Values
		if old := d.edges.Values(l.Type, k); old != nil {
			for f := range old {
				old[f] = l.Type.merged(&l.Type.Fields[f], old[f], values[f])
			}
			values = old
		}
		d.edges.SetLabel(l.Type, k, values)
	}
	return k, !added
}

// Chosen returns the jobs that match any of the selectors, in file order. Without selectors it
// returns all jobs.
func (d *Deployment) Chosen(by []rule.Selector) []int {
	var jobs []int
	for job := range d.nodes.count {
		if len(by) == 0 || slices.ContainsFunc(by, func(s rule.Selector) bool { return d.chooses(s, job) }) {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// RulesBy returns the rules with each selected job replaced by the jobs with the given ids.
func (d *Deployment) RulesBy(ids func(job int) []string) []rule.Rule {
	rules := slices.Clone(d.Rules)
	for i := range rules {
		rules[i].Jobs = nil
		for _, job := range d.Chosen(d.Rules[i].Jobs) {
			for _, id := range ids(job) {
				rules[i].Jobs = append(rules[i].Jobs, rule.Selector{Value: id})
			}
		}
	}
	return rules
}

func (d *Deployment) chooses(s rule.Selector, job int) bool {
	if s.Attribute == "" {
		return d.nodes.ids[job] == s.Value
	}
	return d.nodes.Attribute(s.Attribute, job) == s.Value
}

// Clone returns an independent copy, in which jobs and dependencies keep their numbers.
func (d *Deployment) Clone() *Deployment {
	return &Deployment{network: d.without(nil, true), DOTName: d.DOTName, Rules: d.Rules}
}
