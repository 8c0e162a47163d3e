package fragment

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"berth/engine/cluster"
	"berth/engine/golden"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/sim"
)

func quiet(float64) {}

// host returns a node of a model.
func host(name string, cpu, gpus int, model string) cluster.Host {
	return cluster.Host{Name: name, CPU: cluster.Amount(cpu) * cluster.Unit, Memory: cluster.Amount(cpu) * cluster.Unit, GPUs: gpus,
		Attributes: []cluster.Attribute{{Key: workload.GPUModel, Value: model}}}
}

// pod requests cores and hundredths of GPUs.
func pod(cpu, gpu int) workload.Request {
	p := workload.Request{CPU: cluster.Amount(cpu) * cluster.Unit, GPUs: gpu / 100}
	if share := gpu % 100; share > 0 {
		p.GPUs, p.GPUShare = 1, cluster.Amount(share)*cluster.Unit/100
	}
	return p
}

func policy(t *testing.T, name string) *Policy {
	t.Helper()
	p := must.Get(Lookup(name))(t)
	return p
}

// input returns inputs of runs in memory.
func input(hosts []cluster.Host, pods []workload.Request, arrive float64, seed uint64) *Prepared {
	return &Prepared{document: &Document{Arrive: &arrive, Seed: seed}, inputs: inputs{hosts: hosts, pods: pods}}
}

// prepared returns a run before its first arrival, with its nodes in the given order.
func prepared(t *testing.T, name string, hosts []cluster.Host, pods ...workload.Request) *run {
	t.Helper()
	for seed := uint64(0); ; seed++ {
		r := &run{input: input(hosts, pods, 2, seed), policy: policy(t, name), random: sim.NewRandom(seed, nodeStream)}
		must.Do(t, r.prepare())
		ordered := true
		for i := range r.nodes {
			ordered = ordered && r.nodes[i].host == &hosts[i]
		}
		if ordered {
			return r
		}
	}
}

// The measure of fragmentation is computed by hand: a node of 4 cores has 1, 0.5 and 0.3 of a GPU
// free, and three typical pods are equally frequent.
func TestFragment(t *testing.T) {
	node := cluster.Devices{cluster.Unit, cluster.Unit / 2, 3 * cluster.Unit / 10}
	for name, test := range map[string]struct {
		pod  typical
		want float64 // of 1.8 free
	}{
		"a share that fits on two devices": {typical{cpu: cluster.Unit, gpu: 4 * cluster.Unit / 10}, 0.3},
		"a share that fits everywhere":     {typical{cpu: cluster.Unit, gpu: 2 * cluster.Unit / 10}, 0},
		"a whole device":                   {typical{cpu: cluster.Unit, gpu: cluster.Unit}, 0.8},
		"two devices do not fit":           {typical{cpu: cluster.Unit, gpu: 2 * cluster.Unit}, 1.8},
		"too few cores":                    {typical{cpu: 5 * cluster.Unit, gpu: cluster.Unit}, 1.8},
		"no device is asked for":           {typical{cpu: cluster.Unit}, 1.8},
		"another model":                    {typical{cpu: cluster.Unit, gpu: cluster.Unit, accepts: []bool{false}}, 1.8},
	} {
		test.pod.part = 1
		if test.pod.accepts == nil {
			test.pod.accepts = []bool{true}
		}
		if got := (typicals{test.pod}).fragment(0, 4*cluster.Unit, node); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	if got := (typicals{{part: 1, accepts: []bool{true}}}).fragment(0, 0, cluster.Devices{0, -1}); got != 0 {
		t.Errorf("nothing is free, and %v is fragmented", got)
	}
}

// Typical pods are the most frequent ones that make up 95 % of all, whatever their memory.
func TestTypicalPods(t *testing.T) {
	var pods []workload.Request
	for i, n := range []int{60, 30, 6, 4} {
		for k := range n {
			p := pod(i+1, 50)
			p.Memory = cluster.Amount(k%2) * cluster.Unit
			pods = append(pods, p)
		}
	}
	r := prepared(t, "fgd", []cluster.Host{host("a", 64, 8, "T4")}, pods...)
	if len(r.typical) != 3 {
		t.Fatalf("%d typical pods, want 3", len(r.typical))
	}
	for i, want := range []float64{60. / 96, 30. / 96, 6. / 96} {
		if got := r.typical[i]; got.part != want || got.cpu != cluster.Amount(i+1)*cluster.Unit {
			t.Errorf("%+v, want a part of %v", got, want)
		}
	}
}

// Each policy puts a pod on one of three nodes of 128 cores that differ in their free resources.
func TestPoliciesChoose(t *testing.T) {
	hosts := []cluster.Host{host("idle", 128, 4, "T4"), host("shared", 128, 4, "T4"), host("ones", 128, 4, "T4")}
	for _, test := range []struct {
		policy string
		pod    workload.Request
		want   string
	}{
		{"best-fit", pod(1, 40), "ones"},
		{"dot-product", pod(1, 200), "ones"},
		{"gpu-packing", pod(1, 40), "shared"}, // a shared device before a free one on a used node
		{"gpu-packing", pod(1, 100), "shared"},
		{"gpu-clustering", pod(1, 40), "shared"},
		{"gpu-clustering", pod(1, 100), "ones"},
		{"fgd", pod(1, 40), "shared"},
		{"fgd", pod(1, 300), "shared"}, // on its three free devices, rather than on three of four
	} {
		r := prepared(t, test.policy, hosts, test.pod, pod(1, 50), pod(1, 100))
		r.put(&r.nodes[1], &r.kinds[r.of[1]], 1)
		r.put(&r.nodes[2], &r.kinds[r.of[2]], 1)
		r.put(&r.nodes[2], &r.kinds[r.of[2]], 1)
		before := []cluster.Amount{r.nodes[0].cpu, r.nodes[1].cpu, r.nodes[2].cpu}
		r.arrive(2, r.of[0])
		got := "none"
		for i := range r.nodes {
			if r.nodes[i].cpu != before[i] {
				got = hosts[i].Name
			}
		}
		if got != test.want {
			t.Errorf("%s puts a pod with %v of a GPU on %s, want %s", test.policy, test.pod.Devices().Units(), got, test.want)
		}
	}
}

// The scores that are kept between arrivals, and the sum of fragmentation, equal those of a
// computation from scratch. No node gives more than it has.
func TestKeptScoresHold(t *testing.T) {
	for _, name := range Names() {
		pods := generatePods(map[string]float64{"pods": 150, "none": 0.1, "shared": 0.5, "many": 0.05, "any": 0.7}, 4)
		r := &run{input: input(generateNodes(25, 3), pods, 1.3, 5), policy: policy(t, name), random: sim.NewRandom(5, nodeStream)}
		must.Do(t, r.prepare())
		for now := 1; now <= 400; now++ {
			k := r.of[now%len(r.of)]
			r.arrive(now, k)
			scores, fragments, allocated := r.scores[k*len(r.nodes):], 0.0, cluster.Amount(0)
			for i := range r.nodes {
				n := &r.nodes[i]
				if n.changed < now && scores[i] != r.score(n, &r.kinds[k]) {
					t.Fatalf("%s, arrival %d: node %d has a stale score %d", name, now, i, scores[i])
				}
				fragments += r.typical.fragment(n.model, n.cpu, n.gpus)
				allocated += cluster.Amount(n.host.GPUs)*cluster.Unit - freeOf(n.gpus)
				if n.cpu < 0 || n.memory < 0 {
					t.Fatalf("%s, arrival %d: node %d gave more than it has", name, now, i)
				}
			}
			if math.Abs(fragments-r.fragments) > 1e-6 || allocated != r.allocated {
				t.Fatalf("%s, arrival %d: fragmented %v and allocated %v, want %v and %v", name, now, r.fragments, r.allocated, fragments, allocated)
			}
		}
	}
}

// A pod goes only to nodes of the models that it accepts. A run that is stopped at once is partial.
func TestModels(t *testing.T) {
	p := pod(1, 100)
	p.Constraints = []cluster.Constraint{{Key: workload.GPUModel, Op: cluster.In, Value: "T4|P100"}}
	in := input([]cluster.Host{host("a", 8, 2, "V100"), host("b", 8, 1, "P100"), host("c", 8, 1, "T4")}, []workload.Request{p}, 1, 0)
	r, err := in.pack(t.Context(), policy(t, "random"), quiet)
	if err != nil || r.Arrived != 4 || r.Refused != 2 || r.Allocated[100] != 0.5 || r.Fragmented[100] != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := in.pack(ctx, policy(t, "fgd"), quiet); err != nil || !r.Partial || r.Arrived > 0 {
		t.Errorf("stopped at once: %+v, %v", r, err)
	}
}

// list reads one of the lists of openb.
func list(t *testing.T, name string) io.Reader {
	t.Helper()
	file := must.Get(os.Open(filepath.Join(os.Getenv("BERTH_DATA"), "openb", name)))(t)
	t.Cleanup(func() { file.Close() })
	r := must.Get(gzip.NewReader(file))(t)
	return r
}

// The curves agree within one percentage point with those in the authors' repository, which show
// means of 10 seeds over the arrived share.
func TestExpectedCurves(t *testing.T) {
	golden.Long(t)
	folder := os.Getenv("BERTH_DATA")
	if folder == "" {
		t.Skip("BERTH_DATA is not set: the lists of openb are not at hand")
	}
	var expected struct {
		Lists map[string]map[string]map[string]float64
	}
	data, err := os.ReadFile(filepath.Join(folder, "openb", "fgd-expected.json"))
	if err == nil {
		err = json.Unmarshal(data, &expected)
	}
	if err != nil {
		t.Fatal(err)
	}
	nodes, _, err := trace.ReadHosts("nodes", list(t, "openb_node_list_gpu_node.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, name := range []string{"default", "gpushare40"} {
		source := must.Get(trace.OpenRequests("pods", func() (io.Reader, error) { return list(t, "openb_pod_list_"+name+".csv.gz"), nil }))(t)
		pods := must.Get(workload.ReadAll(source))(t)
		for theirs, ours := range map[string]string{"Random": "random", "DotProd": "dot-product", "GpuClustering": "gpu-clustering", "GpuPacking": "gpu-packing", "BestFit": "best-fit", "FGD": "fgd"} {
			const seeds = 10
			sums := make([]float64, 131)
			for seed := range seeds {
				r := must.Get(input(nodes, pods, 1.3, uint64(seed)).pack(t.Context(), policy(t, ours), quiet))(t)
				for k := range sums {
					sums[k] += 100 * float64(r.Allocated[k])
				}
			}
			for at, want := range expected.Lists[name][theirs] {
				var percent int
				fmt.Sscan(at, &percent)
				compared++
				if got := sums[percent] / seeds; !(math.Abs(got-want) <= 1) {
					t.Errorf("%s, %s at %s %%: %.2f %%, published %.2f %%", name, ours, at, got, want)
				}
			}
		}
	}
	if compared != 2*6*7 {
		t.Errorf("%d values were compared", compared)
	}
}

// Generated pods and nodes have the requested proportions.
func TestGenerators(t *testing.T) {
	const count = 20_000
	var none, shared, many, constrained int
	for _, p := range generatePods(map[string]float64{"pods": count, "none": 0.2, "shared": 0.3, "many": 0.1, "any": 0.75}, 1) {
		switch {
		case p.GPUs == 0:
			none++
		case p.GPUShare > 0:
			shared++
		case p.GPUs > 1:
			many++
		}
		if len(p.Constraints) > 0 {
			constrained++
		}
	}
	for what, of := range map[string][2]float64{
		"without GPUs": {float64(none), 0.2}, "shared": {float64(shared), 0.3}, "several": {float64(many), 0.1}, "constrained": {float64(constrained), 0.8 * 0.25},
	} {
		if part := of[0] / count; math.Abs(part-of[1]) > 0.015 {
			t.Errorf("%s: %v of the pods, want %v", what, part, of[1])
		}
	}
	gpus := 0
	nodes := generateNodes(1000, 1)
	for _, n := range nodes {
		gpus += n.GPUs
	}
	if len(nodes) != 1000 || gpus < 4800 || gpus > 5400 {
		t.Errorf("%d nodes with %d GPUs", len(nodes), gpus)
	}
}

func BenchmarkFGD(b *testing.B) {
	p, _ := Lookup("fgd")
	in := input(generateNodes(1200, 1), generatePods(map[string]float64{"pods": 8000, "none": 0.13, "shared": 0.38, "many": 0.01, "any": 1}, 1), 1.3, 0)
	for b.Loop() {
		must.Get(in.pack(b.Context(), p, quiet))(b)
	}
}
