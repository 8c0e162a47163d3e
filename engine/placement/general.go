package placement

import (
	"math"
	"strconv"

	"berth/engine/gap"
	"berth/engine/graph"
)

// GAP returns the graphs of an instance of the generalized assignment problem:
// agents are clusters, jobs are jobs that request what they take in the mean, and
// there are no links. What differs from agent to agent, [Problem.Generalize] adds.
func GAP(g *gap.Instance) (*graph.Deployment, *graph.Federation) {
	d, f := graph.NewDeployment(), graph.NewFederation()
	for job := range g.Jobs {
		var sum float64
		for _, amount := range g.Amounts[job*g.Agents : (job+1)*g.Agents] {
			sum += amount
		}
		mean := sum / float64(g.Agents)
		d.Jobs().Set(d.AddJob(strconv.Itoa(job+1)), "cpuOffloading", mean, mean)
	}
	for agent, capacity := range g.Capacities {
		f.Clusters().Set(f.AddCluster(strconv.Itoa(agent+1)), "cpu", capacity, 0, 0, math.Inf(1), 0, math.Inf(1))
	}
	return d, f
}

// Generalize gives a problem with the graphs of an instance its costs and amounts.
func (p *Problem) Generalize(g *gap.Instance) {
	p.costs = g.Costs
	p.demands[0].amounts = allParts(g.Amounts)
}

// on is what a job takes of a cluster, in parts.
func (d *demand) on(job int32, cluster int) float64 {
	if d.amounts != nil {
		return d.amounts[int(job)*len(d.price)+cluster]
	}
	return d.need[job]
}

// row is what a job takes of each cluster, nil where that is the same.
func (d *demand) row(job int32) []float64 {
	if d.amounts == nil {
		return nil
	}
	n := len(d.price)
	return d.amounts[int(job)*n : (int(job)+1)*n]
}

// least is what a job takes at least, wherever it goes.
func (d *demand) least(job int) float64 {
	if d.amounts == nil {
		return d.need[job]
	}
	least := math.Inf(1)
	for _, amount := range d.row(int32(job)) {
		least = min(least, amount)
	}
	return least
}

// nodeCost is what a job costs on a cluster without its links.
func (p *Problem) nodeCost(job int32, cluster int) float64 {
	if p.costs != nil {
		return p.costs[int(job)*p.capacity.federation.Clusters().Len()+cluster]
	}
	var cost float64
	for r := range p.demands {
		if m := &p.demands[r]; m.carries[job] {
			cost += float64(m.w[job] * m.price[cluster])
		}
	}
	return cost + p.rules.moving(job, cluster)
}
