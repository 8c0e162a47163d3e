package fragment

import (
	"fmt"
	"math"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

const (
	generatedPodStream = 50 + iota
	generatedNodeStream
)

// nodeShapes are the GPU node types of a cluster like openb, with their number per thousand nodes,
// their cores, memory in GiB, and GPUs.
var nodeShapes = []struct {
	weight, cpu, memory int
	gpus                int
	model               string
}{
	{450, 96, 384, 8, "G2"}, {320, 104, 512, 2, "T4"}, {90, 16, 120, 2, "P100"}, {32, 128, 768, 8, "G3"},
	{23, 32, 128, 4, "V100M16"}, {18, 64, 256, 2, "P100"}, {18, 96, 768, 8, "V100M32"}, {17, 8, 32, 1, "V100M16"},
	{17, 96, 384, 4, "T4"}, {15, 48, 368, 4, "V100M32"},
}

// generateNodes generates GPU nodes in roughly the proportions of openb. Each type gets its share, rounded
// down, and the remaining nodes are drawn at random.
func generateNodes(count int, seed uint64) []cluster.Host {
	random := sim.NewRandom(seed, generatedNodeStream)
	var nodes []cluster.Host
	add := func(shape int) {
		s := &nodeShapes[shape]
		nodes = append(nodes, cluster.Host{
			Name: fmt.Sprintf("node-%d", len(nodes)+1), CPU: cluster.Amount(s.cpu) * cluster.Unit, Memory: cluster.Amount(s.memory) * cluster.Unit,
			GPUs: s.gpus, Attributes: []cluster.Attribute{{Key: workload.GPUModel, Value: s.model}},
		})
	}
	for i := range nodeShapes {
		for range count * nodeShapes[i].weight / 1000 {
			add(i)
		}
	}
	for len(nodes) < count {
		add(draw(random, len(nodeShapes), func(i int) float64 { return float64(nodeShapes[i].weight) }))
	}
	return nodes
}

// podShape is a common request of one category of pods: its weight within the category, cores,
// memory in GiB, and GPUs. For pods with part of a GPU, gpu is a percentage of one.
type podShape struct{ weight, cpu, memory, gpu float64 }

// The most common requests of openb, rounded.
var (
	withoutGPU = []podShape{{35, 12.5, 56, 0}, {27, 32, 48, 0}, {16, 8, 30, 0}, {12, 15.5, 50, 0}, {10, 16.5, 50, 0}}
	withShare  = []podShape{{35, 3.2, 5, 80}, {13, 12, 46, 45}, {12, 8, 30, 45}, {8, 12, 46, 65}, {7, 4, 22, 30}, {7, 4, 15, 30}, {6, 4, 30, 25}, {6, 3.2, 5, 60}, {6, 4, 10, 55}}
	withOne    = []podShape{{28, 11.5, 48, 1}, {17, 11.5, 47, 1}, {15, 3.2, 5, 1}, {10, 18.5, 63, 1}, {8, 10, 41, 1}, {8, 12, 24, 1}, {5, 15.5, 57, 1}, {5, 8, 16, 1}, {4, 24, 91, 1}}
	withMany   = []podShape{{20, 16, 64, 2}, {20, 32, 128, 4}, {30, 88, 320, 8}, {30, 64, 256, 8}}
)

// generatePods generates pods that arrive one second apart. m has the parameters of the generator
// (see values); the pods without a share in m request one whole GPU.
func generatePods(m map[string]float64, seed uint64) []workload.Request {
	random := sim.NewRandom(seed, generatedPodStream)
	pods := make([]workload.Request, int(m["pods"]))
	for i := range pods {
		var shapes []podShape
		switch x := random.Float64(); {
		case x < m["none"]:
			shapes = withoutGPU
		case x < m["none"]+m["shared"]:
			shapes = withShare
		case x < m["none"]+m["shared"]+m["many"]:
			shapes = withMany
		default:
			shapes = withOne
		}
		s := shapes[draw(random, len(shapes), func(k int) float64 { return shapes[k].weight })]
		p := &pods[i]
		*p = workload.Request{Job: int64(i + 1), Submit: sim.Milliseconds(i) * sim.Second, Duration: workload.MaxTime, Priority: workload.NoPriority,
			CPU: cluster.Amount(math.Round(s.cpu * float64(cluster.Unit))), Memory: cluster.Amount(s.memory) * cluster.Unit}
		switch {
		case s.gpu > 8:
			p.GPUs, p.GPUShare = 1, cluster.Amount(s.gpu)*cluster.Unit/100
		default:
			p.GPUs = int(s.gpu)
		}
		if accepts := random.Float64(); p.GPUs > 0 && accepts >= m["any"] {
			p.Constraints = []cluster.Constraint{{Key: workload.GPUModel, Op: cluster.In, Value: models(p.GPUs, random)}}
		}
	}
	return pods
}

// models draws the GPU model that a pod requires, among models of nodes with enough GPUs.
func models(gpus int, random *sim.Random) string {
	return nodeShapes[draw(random, len(nodeShapes), func(i int) float64 {
		if nodeShapes[i].gpus < gpus {
			return 0
		}
		return float64(nodeShapes[i].weight * nodeShapes[i].gpus)
	})].model
}

// draw returns an index below n with probability proportional to its weight.
func draw(random *sim.Random, n int, weight func(place int) float64) int {
	all := 0.0
	for i := range n {
		all += weight(i)
	}
	x := random.Float64() * all
	for i := range n {
		if x -= weight(i); x < 0 {
			return i
		}
	}
	return n - 1
}
