package placement

import (
	"math"
	"strconv"

	"berth/engine/graph"
	"berth/engine/input/gap"
	"berth/engine/solve"
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
	p.form.Cost = solve.Matrix{Cells: g.Costs}
	for k, r := range g.Resources {
		_, supply, _ := instanceResource(k) // which [GAP] has made
		for i := range p.demands {
			if p.demands[i].supply == supply {
				p.form.Resources[i].Amount = solve.Matrix{Cells: allParts(r.Amounts)}
			}
		}
	}
}
