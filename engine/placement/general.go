package placement

import (
	"math"
	"strconv"

	"berth/engine/gap"
	"berth/engine/graph"
)

// GAP returns the graphs of an instance of the generalized assignment problem. Agents become
// clusters; a job requests its mean amount over the agents; a flow becomes a dependency whose
// volume pays the distance of two clusters. [Problem.Generalize] then adds the figures that
// differ by agent.
func GAP(g *gap.Instance) (*graph.Deployment, *graph.Federation, error) {
	d, f := graph.NewDeployment(), graph.NewFederation()
	for job := range g.Jobs {
		d.AddJob(strconv.Itoa(job + 1))
	}
	for agent := range g.Agents {
		f.AddCluster(strconv.Itoa(agent + 1))
	}
	for k, r := range g.Resources {
		demand, supply, err := instanceResource(k)
		if err != nil {
			return nil, nil, err
		}
		for job := range g.Jobs {
			var sum float64
			for _, amount := range r.Amounts[job*g.Agents : (job+1)*g.Agents] {
				sum += amount
			}
			mean := sum / float64(g.Agents)
			d.Jobs().SetLabel(demand, job, []float64{mean, mean})
		}
		for agent, capacity := range r.Capacities {
			f.Clusters().SetLabel(supply, agent, []float64{capacity, 0, 0, math.Inf(1), 0, math.Inf(1)})
		}
	}
	for _, flow := range g.Flows {
		d.AddDependency(flow.A, flow.B, graph.Label{Type: graph.Lookup(graph.Dependency, "traffic"), Values: []float64{flow.Weight}})
	}
	if len(g.Flows) == 0 {
		return d, f, nil
	}
	for a := range g.Agents {
		for b := range a {
			f.AddLink(b, a, graph.Label{Type: graph.Lookup(graph.Link, "traffic"), Values: []float64{g.Distances[a*g.Agents+b]}})
		}
	}
	return d, f, nil
}

// instanceResource returns the labels of a resource of an instance: cpu, then resources
// of its own.
func instanceResource(k int) (demand, supply *graph.LabelType, err error) {
	if k == 0 {
		return graph.Lookup(graph.Job, "cpuOffloading"), graph.Lookup(graph.Cluster, "cpu"), nil
	}
	return graph.Extended("instance/resource-" + strconv.Itoa(k+1))
}

// Generalize gives a problem with the graphs of an instance its costs and amounts.
func (p *Problem) Generalize(g *gap.Instance) {
	p.costs = g.Costs
	for k, r := range g.Resources {
		_, supply, _ := instanceResource(k) // which [GAP] has made
		for i := range p.demands {
			if p.demands[i].supply == supply {
				p.demands[i].amounts = allParts(r.Amounts)
			}
		}
	}
}

// on returns the amount that a job takes of a cluster, in parts.
func (d *demand) on(job int32, cluster int) float64 {
	if d.amounts != nil {
		return d.amounts[int(job)*len(d.price)+cluster]
	}
	return d.need[job]
}

// row returns the amounts that a job takes of each cluster, nil if they are equal.
func (d *demand) row(job int32) []float64 {
	if d.amounts == nil {
		return nil
	}
	n := len(d.price)
	return d.amounts[int(job)*n : (int(job)+1)*n]
}

// least returns the smallest amount that a job takes of any cluster.
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

// nodeCost returns the cost of a job on a cluster, without its links.
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
