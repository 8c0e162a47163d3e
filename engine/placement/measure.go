package placement

import (
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/show"
	"berth/engine/solve"
)

// Measure is a figure of a placement to minimize.
type Measure string

// The measures. Carbon sums the carbon intensity of a cluster times the cpu requested there.
// Latency sums the latency of dependencies, each times its volume (1 if no dependency has a
// volume). Moves counts the jobs that leave their current cluster. Resilience is the largest number
// of jobs in one region, which are lost if the region fails. Balance is the largest share of a free
// resource that jobs take on any cluster.
const (
	Cost       Measure = "cost"
	Carbon     Measure = "carbon"
	Latency    Measure = "latency"
	Moves      Measure = "moves"
	Resilience Measure = "resilience"
	Balance    Measure = "balance"
)

// Measures lists all measures, cost first.
var Measures = []Measure{Cost, Carbon, Latency, Moves, Resilience, Balance}

// adds reports whether a measure is a sum over jobs and dependencies, and so can be mixed with
// cost.
func (m Measure) adds() bool { return m == Carbon || m == Latency || m == Moves }

// Lacks says which input a measure needs but the problem lacks; "" if the measure applies.
func (p *Problem) Lacks(m Measure) string {
	switch {
	case m == Carbon && p.capacity.federation.Clusters().Carriers(graph.Lookup(graph.Cluster, "carbon")) == 0:
		return "no cluster has carbon=…"
	case m == Latency && p.deployment.Dependencies().Len() == 0:
		return "no job depends on another"
	case m == Moves && p.home == nil:
		return "no job has " + graph.Current + "=…"
	}
	return ""
}

// Measure returns a measure of a complete placement, which has the cluster of each job.
func (p *Problem) Measure(m Measure, cluster []int32) float64 {
	switch m {
	case Cost:
		node, link := p.Costs(cluster)
		return node + link
	case Latency:
		return p.latency(cluster)
	case Resilience:
		return p.lost(cluster)
	case Balance:
		return p.fullest(cluster)
	}
	var sum float64
	for job, j := range cluster {
		sum += p.ofJob(m, int32(job), int(j))
	}
	return sum
}

// ofJob returns the contribution of a job on cluster j to Moves or Carbon.
func (p *Problem) ofJob(m Measure, job int32, j int) float64 {
	switch {
	case m == Moves && p.leaves(job, j):
		return 1
	case m == Carbon:
		carbon, cpu := graph.Lookup(graph.Cluster, "carbon"), graph.Lookup(graph.Job, "cpuOffloading")
		if p.capacity.federation.Clusters().Has(carbon, j) && p.deployment.Jobs().Has(cpu, int(job)) {
			return float64(p.deployment.Jobs().Column(cpu, 0)[job] * p.capacity.federation.Clusters().Column(carbon, 0)[j])
		}
	}
	return 0
}

// latency sums the latencies of dependencies, each times its volume if any dependency has one.
func (p *Problem) latency(cluster []int32) float64 {
	var sum float64
	volumes, k := p.deployment.Dependencies().Column(volume()), p.capacity.links.latency()
	for d := range p.deployment.Dependencies().Len() {
		a, b := p.deployment.Ends(d)
		from, to := int(cluster[a]), int(cluster[b])
		if from == to || k == nil || volumes != nil && math.IsNaN(volumes[d]) {
			continue
		}
		often := 1.0
		if volumes != nil {
			often = volumes[d]
		}
		if figure := k.between(from, to); !math.IsInf(figure, 1) {
			sum += float64(often * units(figure))
		}
	}
	return sum
}

// latency returns the constraint on latency, nil if there is none.
func (l *links) latency() *linkConstraint {
	for i := range l.constraints {
		if l.constraints[i].supply.Name == "latency" {
			return &l.constraints[i]
		}
	}
	return nil
}

// lost returns the number of jobs in the region with the most jobs.
func (p *Problem) lost(cluster []int32) float64 {
	region, n := p.regions()
	jobs := make([]int, n+1) // at least one element for Max
	for _, j := range cluster {
		jobs[region[j]]++
	}
	return float64(slices.Max(jobs))
}

// regions numbers the regions of the clusters. A cluster without a region counts as its own.
func (p *Problem) regions() (region []int32, n int) {
	clusters := p.capacity.federation.Clusters()
	return classes(clusters.Len(), func(j int) (string, bool) {
		if region := clusters.Attribute("region", j); region != "" {
			return "region " + region, true
		}
		return "cluster " + clusters.ID(j), true
	})
}

// fullest returns the largest share of a free resource that the placement takes on any cluster.
func (p *Problem) fullest(cluster []int32) float64 {
	var most float64
	for r := range p.demands {
		used := make([]float64, p.capacity.federation.Clusters().Len())
		for job, j := range cluster {
			used[j] += p.form.Amount(r, job, int(j))
		}
		for j, free := range p.form.Resources[r].Capacity {
			if used[j] > 0 {
				most = max(most, used[j]/free)
			}
		}
	}
	return most
}

// within returns the problem with an upper limit on resilience or balance.
func (p *Problem) within(m Measure, most float64) *Problem {
	q := NewProblem(p.deployment, p.capacity.Clone())
	if m == Resilience {
		q.perRegion(int32(most))
		return q
	}
	for r := range q.form.Resources {
		for j, free := range q.form.Resources[r].Capacity { // changes only the cloned capacity
			q.form.Resources[r].Capacity[j] = math.Floor(float64(free * most))
		}
	}
	return q
}

// perRegion limits the number of jobs in each region.
func (p *Problem) perRegion(most int32) {
	c := noCounter()
	c.Class, c.Classes = p.regions()
	c.Jobs, c.Most = fileOrder(p.deployment.Jobs().Len()), most
	p.limit(c, "at most "+show.Count(int(most), "job")+" per region")
}

// weighing returns the problem with the cost a·cost + b·measure. The measure must be additive.
func (p *Problem) weighing(m Measure, a, b float64) *Problem {
	capacity, l := *p.capacity, *p.capacity.links
	var latency []float64
	if k := l.latency(); m == Latency && k != nil {
		latency = k.given
	}
	mix := func(price, measure []float64) *pathFigures {
		mixed := make([]float64, len(price))
		for i := range mixed {
			mixed[i] = float64(a * price[i])
			if measure != nil && !math.IsNaN(measure[i]) {
				mixed[i] += float64(b * units(measure[i]))
			}
		}
		return newColumn(capacity.federation, graph.Sum, 1, mixed)
	}
	price, byVolume := l.price.given, p.deployment.Dependencies().Column(volume()) != nil
	switch {
	case byVolume && l.tariff != nil:
		l.price, l.tariff = mix(price, nil), mix(l.tariff.given, latency)
	case byVolume && latency != nil:
		l.price, l.tariff = mix(price, nil), mix(make([]float64, len(price)), latency)
	default:
		l.price = mix(price, latency)
	}
	capacity.links = &l
	q := NewProblem(p.deployment, &capacity)
	n := q.form.Clusters
	cells := make([]float64, q.form.Jobs*n)
	for job := range q.form.Jobs {
		row := cells[job*n : (job+1)*n]
		p.base(row, job)
		for j, cost := range row {
			if !math.IsInf(cost, 1) {
				row[j] = float64(a*cost) + float64(b*p.ofJob(m, int32(job), j))
			}
		}
	}
	q.form.Cost = solve.Matrix{Cells: cells}
	clear(q.move) // the cells already include the costs of moves
	return q
}
