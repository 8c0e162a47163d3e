package placementtest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"berth/engine/graph"
)

// Dense generates a federation and tenants whose services call each other as in typical
// applications: tiers of hubs that most others call. Clusters are grouped in regions, and latencies
// follow the shortest paths. It hides a placement, so that one exists: used clusters are filled to
// the share full, and bounds on calls exceed the latency in the hidden placement only slightly.
func Dense(seed uint64, tenants, services, clusters int, full float64) (*graph.Deployment, *graph.Federation) {
	rng := rand.New(rand.NewPCG(seed, 41))
	between := func(low, high float64) float64 { return low + float64((high-low)*rng.Float64()) }
	round := func(v float64) float64 { return math.Round(10*v) / 10 }
	f := graph.NewFederation()
	latency := region(rng, f, clusters)
	near := func(c int) []int { // near returns the clusters sorted by latency from c
		all := make([]int, clusters)
		for i := range all {
			all[i] = i
		}
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(latency[c][a], latency[c][b]) })
		return all
	}
	d := graph.NewDeployment()
	load := make([][2]float64, clusters)
	for tenant := range tenants {
		around := near(rng.IntN(clusters))[:max(2, clusters/max(2, tenants))]
		hidden := make([]int, services)
		first := d.Jobs().Len()
		for j := range services {
			d.AddJob(fmt.Sprintf("t%d-%d", tenant, j))
			cpu, memory := 100*float64(1+rng.IntN(6)), 128*float64(1+rng.IntN(8))
			d.Jobs().Set(first+j, "cpuOffloading", cpu, 2*cpu)
			d.Jobs().Set(first+j, "memoryOffloading", memory, 2*memory)
			hidden[j] = around[rng.IntN(len(around))]
			load[hidden[j]][0] += cpu
			load[hidden[j]][1] += memory
			for call := range min(j, 1+rng.IntN(3)) {
				k := rng.IntN(j)
				if call > 0 {
					k = rng.IntN(1 + k/4) // prefers low numbers, which become hubs
				}
				d.AddDependency(first+j, first+k, graph.Label{Type: graph.Lookup(graph.Dependency, "latency"),
					Values: []float64{round(max(3, latency[hidden[j]][hidden[k]]) * between(1, 1.4))}})
			}
		}
	}
	for c := range clusters {
		cpu, memory := load[c][0]/full, load[c][1]/full
		if cpu == 0 {
			cpu, memory = between(300, 1500), between(512, 2048)
		}
		price := between(0.015, 0.05)
		f.Clusters().Set(c, "cpu", math.Ceil(cpu*between(1, 1.1)), round(10*price)/10, 0, math.Inf(1), 0, math.Inf(1))
		f.Clusters().Set(c, "memory", math.Ceil(memory*between(1, 1.1)), price/8, 0, math.Inf(1), 0, math.Inf(1))
	}
	return d, f
}

// region adds clusters and the links between all of them, and returns their latencies.
func region(rng *rand.Rand, f *graph.Federation, clusters int) [][]float64 {
	x, y := make([]float64, clusters), make([]float64, clusters)
	latency := make([][]float64, clusters)
	for a := range clusters {
		f.AddCluster(fmt.Sprintf("c%d", a))
		x[a], y[a] = 40*rng.Float64(), 25*rng.Float64()
		latency[a] = make([]float64, clusters)
		for b := range a {
			dx, dy := x[a]-x[b], y[a]-y[b]
			long := math.Sqrt(float64(dx*dx) + float64(dy*dy))
			if long > 12 && rng.IntN(4) > 0 {
				long *= 3 // a detour
			}
			latency[a][b] = math.Round(100*(0.5+long)) / 100
			latency[b][a] = latency[a][b]
		}
	}
	for via := range clusters {
		for a := range clusters {
			for b := range clusters {
				latency[a][b] = min(latency[a][b], math.Round(100*(latency[a][via]+latency[via][b]))/100)
			}
		}
	}
	for a := range clusters {
		for b := range a {
			f.AddLink(a, b, graph.Label{Type: graph.Lookup(graph.Link, "latency"), Values: []float64{latency[a][b], math.Round(20*latency[a][b]) / 1000}})
		}
	}
	return latency
}
