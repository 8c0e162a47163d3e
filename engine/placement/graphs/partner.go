package graphs

import (
	"math"
	"strconv"

	"berth/engine/graph"
)

// ClustersFor returns three linked clusters with room for all jobs of some deployments. Two have
// half of each resource; the third has all of it, at twice the price. The links satisfy every
// bound. Amounts of extended resources are whole numbers.
func ClustersFor(deployments ...*graph.Deployment) *graph.Federation {
	f := graph.NewFederation()
	for i := range 3 {
		f.AddCluster("cluster-" + strconv.Itoa(i+1))
	}
	for _, demand := range graph.Labels(graph.Job) {
		total := 0.0
		for _, d := range deployments {
			total += sum(d.Jobs(), demand)
		}
		if demand.Host() == nil || total == 0 {
			continue
		}
		for c, share := range []float64{2, 2, 1} {
			setSupply(f, c, demand.Host(), math.Ceil(total/share), 2/share)
		}
	}
	latency, bandwidth := 10.0, 0.0
	for _, d := range deployments {
		for _, bound := range d.Dependencies().Column(graph.Lookup(graph.Dependency, "latency"), 0) {
			if bound < latency { // false if bound is NaN: the dependency lacks the label
				latency = bound
			}
		}
		bandwidth += sum(d.Dependencies(), graph.Lookup(graph.Dependency, "bandwidth"))
	}
	for _, ends := range [][2]int{{0, 1}, {1, 2}, {0, 2}} {
		labels := []graph.Label{{Type: graph.Lookup(graph.Link, "latency"), Values: []float64{latency, 1}}}
		if bandwidth > 0 {
			labels = append(labels, graph.Label{Type: graph.Lookup(graph.Link, "bandwidth"), Values: []float64{bandwidth, 0}})
		}
		f.AddLink(ends[0], ends[1], labels...)
	}
	return f
}

// JobsFor returns jobs that fit on a federation: two jobs that depend on each other for each of the
// first 50 clusters. They request a third and a quarter of each resource of the cluster if its
// bounds allow this, and always some amount of cpu, possibly 0.
func JobsFor(f *graph.Federation) *graph.Deployment {
	const most = 50
	latency := graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{100}}
	d := graph.NewDeployment()
	for c := range min(f.Clusters().Len(), most) {
		for _, share := range []float64{3, 4} {
			job := d.AddJob("job-" + strconv.Itoa(d.Jobs().Len()+1))
			d.Jobs().Set(job, "cpuOffloading", 0, 0)
			for _, demand := range graph.Labels(graph.Job) {
				supply := demand.Host()
				if supply == nil || !f.Clusters().Has(supply, c) {
					continue
				}
				has := f.Clusters().Values(supply, c) // amount, cost, minR, maxR, minL, maxL
				request := math.Floor(min(max(has[0]/share, has[2]), has[3]))
				if limit := max(request, has[4]); limit <= has[5] {
					d.Jobs().SetLabel(demand, job, []float64{request, limit})
				}
			}
		}
		d.AddDependency(2*c, 2*c+1, latency)
	}
	return d
}

// sum returns the sum of the first figure of a label over all elements.
func sum(e *graph.Elements, t *graph.LabelType) (total float64) {
	for i := range e.Len() {
		if values := e.Values(t, i); values != nil {
			total += values[0]
		}
	}
	return total
}

// setSupply sets the amount and the price of a resource on a cluster, without bounds for single
// jobs.
func setSupply(f *graph.Federation, cluster int, supply *graph.LabelType, amount, price float64) {
	values := make([]float64, len(supply.Fields))
	for k := range supply.Fields {
		values[k] = supply.Fields[k].Absent
	}
	values[0], values[supply.Price()] = amount, price
	f.Clusters().SetLabel(supply, cluster, values)
}
