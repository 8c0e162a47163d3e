package graph

import gonum "gonum.org/v1/gonum/graph"

// Label is a label type with its figures, one for each of the type's fields.
type Label struct {
	Type   *LabelType
	Values []float64
}

// Deployment is the graph D = (N_D, E_D) of jobs and their dependencies
// (section 4.1.1). It must not be changed while it is in use; the first call
// of Neighbours builds an index, so share it between goroutines only after it.
type Deployment struct {
	network
	DOTName string // the graph's own name, "" if it has none
}

var _ gonum.Undirected = (*Deployment)(nil)

// NewDeployment returns a deployment without jobs.
func NewDeployment() *Deployment {
	return &Deployment{network: newNetwork(Job, Dependency)}
}

// Jobs returns the jobs.
func (d *Deployment) Jobs() *Elements { return &d.nodes }

// Dependencies returns the dependencies.
func (d *Deployment) Dependencies() *Elements { return &d.edges }

// AddJob returns the number of the job, which it adds if it is new.
func (d *Deployment) AddJob(id string) int { return d.addNode(id) }

// Job returns the number of the job with that id.
func (d *Deployment) Job(id string) (int, bool) { i, ok := d.index[id]; return i, ok }

// AddDependency joins two different jobs. Between jobs that depend on each
// other already it tightens each bound instead, and reports that it merged.
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

// Ends returns the two jobs of a dependency.
func (d *Deployment) Ends(dependency int) (a, b int) {
	return int(d.ends[dependency][0]), int(d.ends[dependency][1])
}

// Neighbours returns the jobs that job i depends on and the dependencies that
// join them, in the order of the dependencies. Neither must be changed.
func (d *Deployment) Neighbours(i int) (jobs, dependencies []int32) { return d.adjacent(i) }

// Clone returns a copy that can be changed.
func (d *Deployment) Clone() *Deployment {
	c := NewDeployment()
	c.DOTName = d.DOTName
	for i, id := range d.nodes.ids {
		c.AddJob(id)
		c.nodes.drawn[i] = d.nodes.drawn[i]
		for _, l := range d.nodes.Labels(i) {
			c.nodes.SetLabel(l.Type, i, l.Values)
		}
	}
	for k, e := range d.ends {
		c.AddDependency(int(e[0]), int(e[1]), d.edges.Labels(k)...)
		c.edges.drawn[k] = d.edges.drawn[k]
	}
	return c
}
