package placementtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"berth/engine/graph"
)

// Planted generates a realistic federation: clusters are points in a plane, the latency and the
// price of a link grow with its length, and some links are missing. It hides a placement, so that
// one exists: capacities barely suffice for it, and dependencies tolerate slightly more latency,
// and need slightly less bandwidth, than they have there.
func Planted(seed uint64, jobs, clusters int) (*graph.Deployment, *graph.Federation) {
	rng := rand.New(rand.NewPCG(seed, 36))
	between := func(low, high float64) float64 { return math.Round(10*(low+float64((high-low)*rng.Float64()))) / 10 }
	pick := func(of ...float64) float64 { return of[rng.IntN(len(of))] }
	f := graph.NewFederation()
	x, y := make([]float64, clusters), make([]float64, clusters)
	latency, bandwidth := make([]float64, clusters*clusters), make([]float64, clusters*clusters)
	for a := range clusters {
		f.AddCluster(fmt.Sprintf("c%d", a))
		x[a], y[a] = between(0, 60), between(0, 60)
		for b := range a {
			if rng.IntN(10) == 0 {
				continue
			}
			dx, dy := x[a]-x[b], y[a]-y[b]
			ms := math.Round(10*(2+math.Sqrt(float64(dx*dx)+float64(dy*dy)))) / 10
			mbit := pick(100, 500, 1000)
			f.AddLink(a, b, graph.Label{Type: graph.Lookup(graph.Link, "latency"), Values: []float64{ms, math.Round(8*ms) / 100}},
				graph.Label{Type: graph.Lookup(graph.Link, "bandwidth"), Values: []float64{mbit, between(0.2, 2)}})
			for _, at := range [2]int{a*clusters + b, b*clusters + a} {
				latency[at], bandwidth[at] = ms, mbit
			}
		}
	}
	d := graph.NewDeployment()
	hidden := make([]int, jobs)
	load := make([][2]float64, clusters)
	for j := range jobs {
		d.AddJob(fmt.Sprintf("j%d", j))
		cpu, memory := pick(100, 200, 250, 400, 500, 800), pick(256, 512, 1024, 2048, 4096)
		d.Jobs().Set(j, "cpuOffloading", cpu, 2*cpu)
		d.Jobs().Set(j, "memoryOffloading", memory, 2*memory)
		hidden[j] = rng.IntN(clusters)
		for range min(j, 1+rng.IntN(2)) {
			k := rng.IntN(j)
			at := hidden[j]*clusters + hidden[k]
			if hidden[j] != hidden[k] && latency[at] == 0 {
				continue // no link
			}
			d.AddDependency(j, k, graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{max(10, math.Ceil(latency[at]/10)*10)}},
				graph.Label{Type: graph.Lookup(graph.Dependency, "bandwidth"), Values: []float64{10}})
			if rng.IntN(3) > 0 {
				break
			}
		}
		load[hidden[j]][0] += cpu
		load[hidden[j]][1] += memory
	}
	for c := range clusters {
		f.Clusters().Set(c, "cpu", math.Round(max(300, load[c][0]*between(1, 1.5))), between(2, 6)/10, 0, math.Inf(1), 0, math.Inf(1))
		f.Clusters().Set(c, "memory", math.Round(max(1024, load[c][1]*between(1, 1.5))), between(4, 10)/1000, 0, math.Inf(1), 0, math.Inf(1))
	}
	return d, f
}
