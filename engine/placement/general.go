package placement

import (
	"math"
	"strconv"

	"berth/engine/graph"
	"berth/engine/input/gap"
	"berth/engine/solve"
)

// GAP converts an instance of the generalized assignment problem to graphs. Agents become clusters,
// and a job requests its mean amount over the agents. A flow becomes a dependency with its weight
// as volume, whose price is the distance between two clusters. [Problem.Generalize] then sets the
// amounts and costs that differ by agent.
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

// instanceResource returns the labels for resource k of an instance: cpu for the first, extended
// resources for the others.
func instanceResource(k int) (demand, supply *graph.LabelType, err error) {
	if k == 0 {
		return graph.Lookup(graph.Job, "cpuOffloading"), graph.Lookup(graph.Cluster, "cpu"), nil
	}
	return graph.Extended("instance/resource-" + strconv.Itoa(k+1))
}

// Generalize sets the costs and amounts of an instance on the problem made from its graphs (see
// [GAP]).
func (p *Problem) Generalize(g *gap.Instance) {
	p.form.Cost = solve.Matrix{Cells: g.Costs}
	for k, r := range g.Resources {
		_, supply, _ := instanceResource(k) // no error: [GAP] already made the label
		for i := range p.demands {
			if p.demands[i].supply == supply {
				p.form.Resources[i].Amount = solve.Matrix{Cells: allParts(r.Amounts)}
			}
		}
	}
}
