package drawing_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement/drawing"
)

func TestOverviewGolden(t *testing.T) {
	d, f := read(t, deployment, federation)
	text := must.Get(json.MarshalIndent(drawing.Overlook(f, []drawing.Placed{place(t, d, f)}), "", "\t"))(t)
	golden.Check(t, "testdata/overview.json", string(text)+"\n")
}

// scattered puts the jobs of rings on random clusters.
func scattered(seed uint64) (*graph.Federation, []drawing.Placed) {
	r := rand.New(rand.NewPCG(seed, 1))
	f, p := large(10 * (1 + r.IntN(60)))
	_, q := large(10)
	q.Index, q.Name = 1, "another"
	for _, p := range []drawing.Placed{p, q} {
		for i := range p.Cluster {
			p.Cluster[i] = int32(r.IntN(f.Clusters().Len()))
		}
	}
	_, unplaced := large(20)
	unplaced.Index, unplaced.Cluster = 2, nil
	return f, []drawing.Placed{p, q, unplaced}
}

// The jobs' parts of a cluster add up to its used amount, and the counts between clusters to the
// dependencies.
func TestOverviewAddsUp(t *testing.T) {
	for seed := range uint64(50) {
		f, placed := scattered(seed)
		o := drawing.Overlook(f, placed)
		share, jobs, all := make([]float64, f.Clusters().Len()), make([]int, f.Clusters().Len()), 0
		for i, u := range o.Jobs {
			if u.Deployment != i || len(u.Names) != placed[i].Deployment.Jobs().Len() || len(u.Cluster) != len(placed[i].Cluster) {
				t.Fatalf("seed %d: the jobs of deployment %d are %d on %d clusters", seed, u.Deployment, len(u.Names), len(u.Cluster))
			}
			for k, j := range u.Cluster {
				share[j] += u.Share[0][k]
				jobs[j]++
			}
			if placed[i].Cluster != nil {
				all += placed[i].Deployment.Dependencies().Len()
			}
		}
		for j, c := range o.Clusters {
			if math.Abs(c.Share[0]-share[j]) > 1e-9 || c.Jobs != jobs[j] {
				t.Errorf("seed %d: cluster %d is used to %v by %d jobs; these take %v and are %d", seed, j, c.Share[0], c.Jobs, share[j], jobs[j])
			}
		}
		counted, crossing, last := 0, 0, drawing.Between{A: -1}
		for _, b := range o.Between {
			if b.A > b.B || b.A < last.A || b.A == last.A && b.B <= last.B {
				t.Errorf("seed %d: %v comes after %v", seed, b, last)
			}
			last = b
			counted += b.Count
			if b.A != b.B {
				crossing += b.Count
			}
		}
		if counted != all {
			t.Errorf("seed %d: %d dependencies are counted of %d", seed, counted, all)
		}
		if want := min(crossing, drawing.MostTight); len(o.Tightest) != want {
			t.Errorf("seed %d: %d tight dependencies, want %d", seed, len(o.Tightest), want)
		}
		for i := 1; i < len(o.Tightest); i++ {
			if o.Tightest[i].Slack < o.Tightest[i-1].Slack {
				t.Errorf("seed %d: %v comes after %v", seed, o.Tightest[i], o.Tightest[i-1])
			}
		}
	}
}

// Bounds of 0 and infinite supplies give figures that JSON can hold.
func TestOverviewOfOddFiguresIsJSON(t *testing.T) {
	f, p := large(20)
	p.Deployment.AddDependency(0, 10, graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{0}})
	f.Clusters().Set(0, "cpu", math.Inf(1), 1, 0, 10, 0, 10)
	f.Links().Set(0, "latency", 0, 1)
	o := drawing.Overlook(f, []drawing.Placed{p})
	if _, err := json.Marshal(o); err != nil {
		t.Error(err)
	}
	if len(o.Tightest) != 2 || o.Tightest[0].Ends != [2]string{"job-0-0", "job-0-10"} || o.Tightest[0].Slack != 0 {
		t.Errorf("the tightest are %v: of nothing, nothing is left", o.Tightest)
	}
}
