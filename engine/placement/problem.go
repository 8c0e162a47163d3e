package placement

import (
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/solve"
)

// Problem joins a deployment to the remaining capacity of a federation.
type Problem struct {
	deployment *graph.Deployment
	capacity   *Capacity
	demands    []demand
	form       solve.Problem     // which [Problem.Assignment] completes
	limited    []*linkConstraint // by limit of the form
	weighted   bool              // charges depend on the volumes of dependencies
	barriers   []barrier
	barred     [][]int32 // by job: the barriers that keep it from some cluster
	y          []float64 // by job, in parts: SJ sorts by it
	words      []string  // by counter of the form: its rule in words
	home       []int32   // by job: its current cluster, -1 if it has none; nil if all jobs are new
	move       []float64 // by job: the cost of leaving home
	compiled   compiled
}

// demand is a resource that at least one job requests.
type demand struct {
	resource
	index   int       // in Capacity.resources
	carries []bool    // by job: see asks
	w       []float64 // by job: the request in units, 0 if it has none
	need    []float64 // by job: the same in parts
	y       []float64 // by job, in parts: its own request and its neighbours'
	price   []float64 // by cluster; 0 if unknown: see [Problem.Priced]
}

// NewProblem joins a deployment to a capacity. Solving the problem changes neither. The capacity
// must not change until the problem is solved.
func NewProblem(d *graph.Deployment, c *Capacity) *Problem {
	p := &Problem{deployment: d, capacity: c, barred: make([][]int32, d.Jobs().Len())}
	for i, r := range c.resources {
		if d.Jobs().Carriers(r.demand) == 0 {
			continue
		}
		if m := newDemand(d, c, i, r); slices.Contains(m.carries, true) {
			p.demands = append(p.demands, m)
			p.compare(len(p.demands) - 1)
		}
	}
	p.y = p.weights()
	p.readRules()
	p.compile()
	return p
}

func newDemand(d *graph.Deployment, c *Capacity, index int, r resource) demand {
	jobs, clusters := d.Jobs(), c.federation.Clusters()
	m := demand{
		resource: r, index: index,
		carries: make([]bool, jobs.Len()),
		w:       make([]float64, jobs.Len()), y: make([]float64, jobs.Len()),
		price: make([]float64, clusters.Len()),
	}
	for i := range m.w {
		m.carries[i] = asks(jobs, r.demand, i)
		if m.request >= 0 && m.carries[i] {
			m.w[i] = jobs.Column(r.demand, r.request)[i]
		}
	}
	m.need = allParts(m.w)
	for i := range m.y { // algorithm 1
		m.y[i] = m.need[i]
		neighbours, _ := d.Neighbours(i)
		for _, n := range neighbours {
			m.y[i] += m.need[n]
		}
	}
	if r.price >= 0 {
		for j, price := range clusters.Column(r.supply, r.price) {
			if !math.IsNaN(price) {
				m.price[j] = price
			}
		}
	}
	return m
}

// asks reports whether a job requests a resource at all. A job with all figures 0, such as a
// best-effort pod, may also run on clusters without the resource.
func asks(jobs *graph.Elements, t *graph.LabelType, job int) bool {
	return slices.ContainsFunc(jobs.Values(t, job), func(figure float64) bool { return figure != 0 })
}

func columnOrNaN(e *graph.Elements, t *graph.LabelType, field int) []float64 {
	if column := e.Column(t, field); column != nil {
		return column
	}
	return slices.Repeat([]float64{math.NaN()}, e.Len())
}

// weights returns y of every job. With one resource it is the sum of requests; with several, the
// largest request relative to a mean cluster.
func (p *Problem) weights() []float64 {
	y := make([]float64, p.deployment.Jobs().Len())
	for i := range y {
		for r := range p.demands {
			y[i] = max(y[i], p.relative(r, p.demands[r].y[i]))
		}
	}
	return y
}

// relative converts an amount of resource r to parts of cpu, by the ratio of their mean amounts per
// cluster. With a single resource it returns the amount unchanged. The mean may be rounded, but
// equal amounts give equal results, because the product and the divisor are exact.
func (p *Problem) relative(r int, amount float64) float64 {
	m := &p.demands[r]
	if len(p.demands) == 1 || m.parts == 0 {
		return amount
	}
	unit := p.capacity.resources[0].mean()
	if unit == 0 {
		unit = p.demands[0].mean()
	}
	return float64(float64(amount*m.clusters)/m.parts) * unit
}

// base writes row 0 of the cost matrix for a job: w_i·unitCost_j, plus the cost of a move, and +Inf
// for clusters that can never host the job.
func (p *Problem) base(row []float64, job int) {
	clear(row)
	if n := len(row); p.form.Cost.Cells != nil {
		copy(row, p.form.Cost.Cells[job*n:])
	}
	for _, t := range p.form.Cost.Terms {
		if w := t.ByJob[job]; w != 0 {
			solve.AddProducts(row, t.ByCluster, w)
		}
	}
	for _, i := range p.barred[job] {
		b := &p.barriers[i]
		refuseAbove(row, b.cluster, 0, b.of(int32(job)))
	}
	if p.home != nil && p.move[job] > 0 {
		for j := range row {
			row[j] += p.moving(int32(job), j)
		}
	}
}

// lacking reports whether a cluster lacks a resource.
func (p *Problem) lacking(r, cluster int) bool {
	return !p.capacity.federation.Clusters().Has(p.demands[r].supply, cluster)
}

// short returns the first resource of which the jobs request more than all clusters have left (-1
// if there is none), and both amounts in parts.
func (p *Problem) short() (r int, wanted, left float64) {
	for r := range p.demands {
		wanted, left = 0, 0
		for job := range p.form.Jobs {
			wanted += p.least(r, job)
		}
		for _, free := range p.form.Resources[r].Capacity {
			left += free
		}
		if wanted > left {
			return r, wanted, left
		}
	}
	return -1, 0, 0
}

// Deployment returns the graph of the jobs to place.
func (p *Problem) Deployment() *graph.Deployment { return p.deployment }

// Priced reports whether all clusters have prices. If not, searches treat missing prices as 0, and
// costs are meaningless.
func (p *Problem) Priced() bool { return p.form.Cost.Cells != nil || p.capacity.priced }

// Capacity returns the capacity that the jobs are placed on. Callers must not change it.
func (p *Problem) Capacity() *Capacity { return p.capacity }

// Weight returns y of a job: its requests plus those of its neighbours, in units of the resource,
// or of cpu with several resources.
func (p *Problem) Weight(job int) float64 { return units(p.y[job]) }

// Costs returns the cost of a placement (cluster, by job). Node costs are summed over jobs and link
// costs over dependencies, both in file order.
func (p *Problem) Costs(cluster []int32) (node, link float64) {
	for i, j := range cluster {
		node += p.NodeCost(int32(i), int(j))
	}
	for k, d := range p.form.Dependencies {
		link += p.LinkCost(k, int(cluster[d.A]), int(cluster[d.B]))
	}
	return node, link
}

// NodeCost returns the cost of a job on a cluster without its links, including the cost of a move.
func (p *Problem) NodeCost(job int32, cluster int) float64 {
	return p.form.NodeCost(int(job), cluster) + p.moving(job, cluster)
}

// least returns the smallest amount of a resource that a job takes on any cluster.
func (p *Problem) least(r, job int) float64 {
	if of := p.amounts(r, job); of != nil {
		return slices.Min(of)
	}
	return p.demands[r].need[job]
}

// amounts returns the amount of a resource that a job takes on each cluster, nil if it is the same
// on all.
func (p *Problem) amounts(r, job int) []float64 {
	cells, n := p.form.Resources[r].Amount.Cells, p.form.Clusters
	if cells == nil {
		return nil
	}
	return cells[job*n : (job+1)*n]
}
