package placement_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/input/gap"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementtest"
)

// goldenSeeds is the number of problems of each sort.
const goldenSeeds = 2

// These are placements, counts, certificates and explanations of all strategies, bit for bit and
// without their words, on problems of every shape. An unintended change of the search shows here.
func TestResultsAreGolden(t *testing.T) {
	golden.Long(t)
	var report strings.Builder
	for _, way := range []struct {
		name string
		take func() (undo func())
	}{
		{"rows kept", func() func() { return func() {} }},
		{"rows shared", func() func() { return placement.SetRowBudget(0) }},
		{"strips", func() func() { return placement.SetStripsFrom(0, 0) }},
	} {
		undo, sums := way.take(), summing{}
		for _, shape := range placementtest.Shapes {
			for seed := range uint64(goldenSeeds) {
				d, f := shape.Generate(seed)
				sums.place(t, d, placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: seed%2 == 0}), seed)
				if seed%2 == 0 {
					sums.onNodes(t, d, f, seed)
				}
			}
		}
		undo()
		sums.write(&report, way.name)
	}
	for _, preset := range []string{"thesis", "listing"} {
		sums := summing{}
		for seed := range uint64(2 * goldenSeeds) {
			sums.generated(t, preset, seed)
		}
		sums.write(&report, "generated: "+preset)
	}
	sums := summing{}
	for seed := range uint64(2 * goldenSeeds) {
		sums.instance(t, seed)
	}
	sums.write(&report, "generalised")
	golden.Check(t, "testdata/results.txt", report.String())
}

// summing has a hash for each strategy.
type summing map[string]hash.Hash

func (s summing) of(name string) io.Writer {
	if s[name] == nil {
		s[name] = sha256.New()
	}
	return s[name]
}

func (s summing) write(w io.Writer, title string) {
	for _, name := range append(placement.Names(), "keep", "nodes") {
		if sum := s[name]; sum != nil {
			fmt.Fprintf(w, "%s: %s %.8x\n", title, name, sum.Sum(nil))
		}
	}
}

// place adds the results of all strategies on what is left of a federation, and of the heuristic on
// what each of them leaves.
func (s summing) place(t *testing.T, d *graph.Deployment, c *placement.Capacity, seed uint64) {
	var was []int32
	for _, name := range placement.Names() {
		w := s.of(name)
		o := placement.Options{
			Seed: seed, Phi: 0.05, Budget: 3000, Steps: 3000,
			Progress: func(placed, jobs int, expansions int64) { fmt.Fprintln(w, placed, jobs, expansions) },
			Reached:  func(i placement.Improvement, cluster []int32) { fmt.Fprintln(w, i, cluster) },
		}
		p := placement.NewProblem(d, c)
		got := placeBy(t, name, p, o)
		sumUp(t, w, p, got)
		if was == nil {
			was = got.Cluster
		}
		after := c.Clone()
		after.Commit(placement.NewProblem(d, after), got)
		sumUp(t, w, placement.NewProblem(d, after), placeBy(t, "heuristic", placement.NewProblem(d, after), o))
	}
	s.keep(t, placement.NewProblem(d, c), was, seed)
}

// keep adds the part that is kept of a placement some of whose jobs were moved.
func (s summing) keep(t *testing.T, p *placement.Problem, was []int32, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 5))
	before, fixed := make([]int32, len(was)), make([]bool, len(was))
	for job := range before {
		before[job], fixed[job] = was[job], was[job] >= 0 && rng.IntN(2) == 0
		if rng.IntN(3) == 0 && !fixed[job] {
			before[job] = int32(rng.IntN(p.Capacity().Federation().Clusters().Len()+1)) - 1
		}
	}
	for _, k := range []placement.Keep{{Was: before}, {Was: before, Freely: true}, {Was: before, Fixed: fixed}} {
		for _, budget := range []int64{1, 7, 40, 400} {
			got := k.Place(t.Context(), p, placement.Options{Phi: 0.05, Budget: budget})
			if budget == 40 {
				sumUp(t, s.of("keep"), p, got)
			} else {
				sumSolution(s.of("keep"), got)
			}
		}
	}
}

func (s summing) onNodes(t *testing.T, d *graph.Deployment, f *graph.Federation, seed uint64) {
	for _, nodes := range []placement.Nodes{few{2}, mates{}} {
		p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{Nodes: nodes}))
		for _, name := range placement.Names() {
			strategy := must.Get(placement.Named(name, nil))(t)
			o := placement.Options{Seed: seed, Phi: 0.05, Budget: 1000, Steps: 1000}
			sumUp(t, s.of("nodes"), p, placement.Whole{Strategy: strategy}.Place(t.Context(), p, o))
		}
		s.keep(t, p, placeBy(t, "random", p, placement.Options{Seed: seed, Budget: 1000}).Cluster, seed)
	}
}

// generated adds deployments of a preset that are placed one after the other on a star, on a mesh
// with the same links, and on a star that needs strips.
func (s summing) generated(t *testing.T, preset string, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	clusters := []int{10, 30, 60, 300}[seed%4]
	f, err := graphs.Federation(workload.Recipe{
		Generator: graphs.FederationGenerator, Preset: preset, Seed: seed, Parameters: map[string]float64{"n_nodes": float64(clusters)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if seed%3 == 0 && clusters < 100 {
		if f, err = graphs.Mesh(f); err != nil {
			t.Fatal(err)
		}
	}
	c := placement.NewCapacity(f, placement.CapacityOptions{})
	deployments := 3
	if preset == "listing" {
		deployments = 1
	}
	for i := range deployments {
		jobs := 5 + rng.IntN(40)
		d := must.Get(graphs.Deployment(workload.Recipe{
			Generator: graphs.DeploymentGenerator, Preset: preset, Seed: seed, Index: i,
			Parameters: map[string]float64{"n_nodes": float64(jobs), "n_edges": float64(2 * jobs), "min_latency": 10, "max_latency": 60},
		}))(t)
		s.place(t, d, c.Clone(), seed)
		p := placement.NewProblem(d, c)
		c.Commit(p, placeBy(t, "heuristic", p, placement.Options{Phi: placement.DefaultPhi, Budget: 3000}))
	}
}

// instance adds an instance of the generalised assignment problem.
func (s summing) instance(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	g, x := &gap.Instance{Agents: 2 + rng.IntN(4), Jobs: 5 + rng.IntN(10)}, gap.Resource{}
	for range g.Agents * g.Jobs {
		g.Costs, x.Amounts = append(g.Costs, float64(10+rng.IntN(40))), append(x.Amounts, float64(5+rng.IntN(20)))
	}
	for range g.Agents {
		x.Capacities = append(x.Capacities, math.Round(float64(g.Jobs*15)/float64(g.Agents)*(0.7+rng.Float64())))
	}
	g.Resources = []gap.Resource{x}
	p := generalized(t, g)
	var was []int32
	for _, name := range placement.Names() {
		was = placeBy(t, name, p, placement.Options{Seed: seed, Phi: 0.05, Budget: 3000, Steps: 3000}).Cluster
		sumUp(t, s.of(name), p, placeBy(t, name, p, placement.Options{Seed: seed, Phi: 0.05, Budget: 3000, Steps: 3000}))
	}
	s.keep(t, p, was, seed)
}

// sumUp writes the solution, its certificate, the explanation of every step, matrices, and the
// reasons for the clusters of the jobs.
func sumUp(t *testing.T, w io.Writer, p *placement.Problem, s placement.Solution) {
	p.Certify(t.Context(), &s)
	sumSolution(w, s)
	for step := range len(s.Order) + 1 {
		if step > 2 && step%9 > 0 && step+3 < len(s.Order) {
			continue
		}
		e, err := placement.Explain(p, s, 0.05, step)
		for i := range e.Refusals {
			e.Refusals[i].Text = ""
		}
		sumJSON(t, w, e)
		fmt.Fprintln(w, err == nil)
	}
	cm, err := placement.CostMatrix(p, s, len(s.Order)/2)
	fmt.Fprintln(w, cm, err == nil)
	nam, err := placement.AffinityMatrix(p, s, 0.05, len(s.Order)/2)
	fmt.Fprintln(w, nam, err == nil)
	e, err := placement.NewStander(p, s)
	if fmt.Fprintln(w, err == nil); err != nil {
		return
	}
	for job := range s.Cluster {
		if job%4 == 0 {
			x := e.Standing(job)
			for i := range x.Moves {
				x.Moves[i].Text = ""
			}
			sumJSON(t, w, x)
		}
	}
	sumJSON(t, w, e.Bindings())
	sumJSON(t, w, p.Prices(t.Context()))
}

func sumSolution(w io.Writer, s placement.Solution) {
	fmt.Fprintln(w, s.Status, s.Order, s.Cluster, s.ByPA, s.Draws, s.NodeCost, s.LinkCost, s.Expansions, s.Backtracks)
	if c := s.Certificate; c != nil {
		fmt.Fprintln(w, c.Bound, c.Proved, c.Steps, c.Trace, c.Minimal)
		for _, m := range c.Core {
			fmt.Fprintln(w, m.Kind, m.Index)
		}
	}
}

func sumJSON(t *testing.T, w io.Writer, v any) {
	text := must.Get(json.Marshal(v))(t)
	w.Write(text)
}
