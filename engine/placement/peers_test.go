//go:build !js

package placement_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"berth/engine/golden"
	"berth/engine/input/format"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
	"berth/engine/solve"
)

// peerSeconds is the time that each solver has for an instance.
const peerSeconds = 5

// answer is the result of a solver; NaN if it found nothing.
type answer struct {
	cost, bound float64
	proved      bool
}

// peer is a solver by others; ready is false if it is not installed.
type peer struct {
	name, install string
	ready         bool
	solve         func(b *testing.B, p *solve.Problem) answer
}

func peers() []peer {
	there := func(program string) bool { _, err := exec.LookPath(program); return err == nil }
	return []peer{
		{"CBC", "apt install coinor-cbc", there("cbc"), cbc},
		{"HiGHS", "make installs it, and BERTH_PACKAGES names the folder", there("node") && os.Getenv("BERTH_PACKAGES") != "", highs},
		{"toulbar2", "apt install toulbar2", there("toulbar2"), toulbar2},
	}
}

// This prints one table of the results of best, exact and solvers by others on the same instances
// in the same time. CBC and HiGHS get a mixed-integer program, toulbar2 a cost function network.
func BenchmarkPeers(b *testing.B) {
	var all []given
	for _, name := range []string{"shop", "backtracking"} {
		all = append(all, readExample(b, name))
	}
	for _, size := range [][2]int{{12, 6}, {20, 8}, {40, 15}} {
		d, f := placementtest.Planted(0, size[0], size[1])
		all = append(all, given{fmt.Sprintf("planted %d x %d", size[0], size[1]), problemOf(d, f, false), 0})
	}
	if os.Getenv("BERTH_DATA") != "" {
		all = append(all, givenMeshes(b)[:8]...)
	}
	for _, x := range peers() {
		b.Run(x.name, func(b *testing.B) {
			if !x.ready {
				b.Skipf("%s is not installed: %s", x.name, x.install)
			}
			compare(b, all, x.name, func(g given) answer { return x.solve(b, g.problem.Assignment()) })
		})
	}
	for _, name := range []string{"best", "exact"} {
		b.Run(name, func(b *testing.B) {
			compare(b, all, name, func(g given) answer { return ours(b, name, g.problem) })
		})
	}
}

// readExample reads an example of the page.
func readExample(b *testing.B, name string) given {
	read := func(role string) string {
		text := must.Get(os.ReadFile(filepath.Join("../../examples", name+"-"+role+".dot")))(b)
		return string(text)
	}
	d, _ := format.ReadDeployments("d.dot", []byte(read("deployment")), format.Options{})
	f, _ := format.ReadFederation([]format.File{{Name: "f.dot", Text: read("federation")}}, format.Options{})
	return given{name, problemOf(d[0].Deployment, f.Federation, false), 0}
}

// compare prints a row for each instance.
func compare(b *testing.B, all []given, name string, solve func(given) answer) {
	var rows strings.Builder
	proved := 0
	for b.Loop() {
		rows.Reset()
		proved = 0
		for _, g := range all {
			begun := time.Now()
			a := solve(g)
			fmt.Fprintf(&rows, "| %s | %s | %s | %s | %t | %.1f s |\n", g.name, name, shown(a.cost), shown(a.bound), a.proved, time.Since(begun).Seconds())
			if a.proved {
				proved++
			}
		}
	}
	b.Logf("\n| instance | solver | cost | bound | proved | time |\n|---|---|---|---|---|---|\n%s", rows.String())
	b.ReportMetric(float64(proved), "proved")
}

func shown(figure float64) string {
	if math.IsNaN(figure) {
		return "none"
	}
	return fmt.Sprintf("%.1f", figure)
}

func ours(b *testing.B, name string, p *placement.Problem) answer {
	s := must.Get(placement.Named(name, nil))(b)
	end := time.Now().Add(peerSeconds * time.Second)
	r := s.Place(b.Context(), p, placement.Options{Seed: 1, Phi: placement.DefaultPhi, Enough: func() bool { return time.Now().After(end) }})
	p.Certify(b.Context(), &r)
	a := answer{math.NaN(), r.Certificate.Bound, r.Certificate.Proved == placement.ProvedOptimal}
	if r.Complete() {
		a.cost = r.Cost()
	}
	return a
}

// program writes a problem in CPLEX's format: where each job is, and for each dependency which pair
// of clusters it spans (Adams and Johnson 1994).
func program(p *solve.Problem) string {
	var objective, rows, binaries strings.Builder
	for j := range p.Jobs {
		var sum strings.Builder
		for c := range p.Clusters {
			if p.Allowed(j, c) {
				fmt.Fprintf(&objective, " + %v x%d_%d\n", p.Cost.At(j, c, p.Clusters), j, c)
				fmt.Fprintf(&sum, " + x%d_%d\n", j, c)
				fmt.Fprintf(&binaries, " x%d_%d\n", j, c)
			}
		}
		fmt.Fprintf(&rows, "%s = 1\n", sum.String())
	}
	for _, r := range p.Resources {
		for c, capacity := range r.Capacity {
			for j := range p.Jobs {
				if p.Allowed(j, c) {
					fmt.Fprintf(&rows, " + %v x%d_%d\n", r.Amount.At(j, c, p.Clusters), j, c)
				}
			}
			fmt.Fprintf(&rows, " <= %v\n", capacity)
		}
	}
	for k, d := range p.Dependencies {
		from, to := make([]string, p.Clusters), make([]string, p.Clusters)
		for at := range p.Clusters * p.Clusters {
			a, c := at/p.Clusters, at%p.Clusters
			cost := p.PairCost(k, a, c)
			if math.IsInf(cost, 1) || !p.Allowed(int(d.A), a) || !p.Allowed(int(d.B), c) {
				continue
			}
			y := fmt.Sprintf(" + y%d_%d_%d\n", k, a, c)
			fmt.Fprintf(&objective, " + %v y%d_%d_%d\n", cost, k, a, c)
			from[a] += y
			to[c] += y
		}
		for c := range p.Clusters {
			for job, sum := range map[int32]string{d.A: from[c], d.B: to[c]} {
				if p.Allowed(int(job), c) {
					fmt.Fprintf(&rows, "%s - x%d_%d = 0\n", sum, job, c)
				}
			}
		}
	}
	return "Minimize\n obj:" + objective.String() + "Subject To\n" + rows.String() + "Binary\n" + binaries.String() + "End\n"
}

// output runs a program on a file and returns what it prints. It ignores the exit code, because
// some programs fail when their time is up.
func output(b *testing.B, file, text string, line ...string) string {
	path := filepath.Join(b.TempDir(), file)
	must.Do(b, os.WriteFile(path, []byte(text), 0o600))
	for i, word := range line {
		line[i] = strings.ReplaceAll(word, "FILE", path)
	}
	out, _ := exec.CommandContext(b.Context(), line[0], line[1:]...).CombinedOutput()
	return string(out)
}

// last returns the last figure after a pattern, NaN if there is none.
func last(text, pattern string) float64 {
	all := regexp.MustCompile(pattern+`\s*(-?[\d.]+(?:e[+-]?\d+)?)`).FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(all[len(all)-1][1], 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func cbc(b *testing.B, p *solve.Problem) answer {
	out := output(b, "p.lp", program(p), "cbc", "FILE", "sec", fmt.Sprint(peerSeconds), "timem", "elapsed", "solve")
	a := answer{cost: last(out, `Objective value:`), bound: last(out, `Lower bound:`), proved: strings.Contains(out, "Result - Optimal solution found")}
	if a.proved {
		a.bound = a.cost
	} else if strings.Contains(out, "No feasible solution found") {
		a.cost = math.NaN()
	}
	return a
}

// solution is HiGHS's answer to a program; Cost is nil if it found none.
type solution struct {
	Status string
	Cost   *float64
}

// solutions passes programs to HiGHS.
func solutions(programs ...string) (found []solution, err error) {
	in, err := json.Marshal(programs)
	if err != nil {
		return nil, err
	}
	node := exec.Command("node", "testdata/highs.cjs", filepath.Join(os.Getenv("BERTH_PACKAGES"), "highs", "build", "highs.js"), fmt.Sprint(peerSeconds))
	node.Stdin, node.Stderr = bytes.NewReader(in), os.Stderr
	out, err := node.Output()
	if err != nil {
		return nil, err
	}
	return found, json.Unmarshal(out, &found)
}

func highs(b *testing.B, p *solve.Problem) answer {
	a := answer{cost: math.NaN(), bound: math.NaN()}
	found, err := solutions(program(p))
	if err != nil {
		b.Logf("HiGHS: %v", err)
		return a
	}
	if found[0].Cost != nil {
		a.cost = *found[0].Cost
	}
	if a.proved = found[0].Status == "Optimal"; a.proved {
		a.bound = a.cost
	}
	return a
}

// knapsacks returns a random assignment without links and with some forbidden pairs.
func knapsacks(rng *rand.Rand) *solve.Problem {
	p := &solve.Problem{Jobs: 6 + rng.IntN(10), Clusters: 3 + rng.IntN(4)}
	cells := func(least, most int) []float64 {
		all := make([]float64, p.Jobs*p.Clusters)
		for i := range all {
			all[i] = float64(least + rng.IntN(most-least))
		}
		return all
	}
	p.Cost.Cells = cells(0, 40)
	for range 1 + rng.IntN(2) {
		capacity := make([]float64, p.Clusters)
		for c := range capacity {
			capacity[c] = math.Floor(15 * float64(p.Jobs) / float64(p.Clusters) * (0.6 + 0.5*rng.Float64()))
		}
		p.Resources = append(p.Resources, solve.Resource{Amount: solve.Matrix{Cells: cells(1, 30)}, Capacity: capacity})
	}
	for j := range p.Jobs {
		if rng.IntN(3) == 0 {
			p.Forbid(j, rng.IntN(p.Clusters))
		}
	}
	return p
}

// HiGHS, a solver by others, finds the same optima as the tree of exact.
func TestHiGHSAgrees(t *testing.T) {
	golden.Long(t)
	if os.Getenv("BERTH_PACKAGES") == "" {
		t.Skip("BERTH_PACKAGES is not set: optima are not compared with those of HiGHS")
	}
	rng := rand.New(rand.NewPCG(7, 7))
	problems, programs := make([]*solve.Problem, 200), make([]string, 200)
	for i := range problems {
		problems[i] = knapsacks(rng)
		programs[i] = program(problems[i])
	}
	infeasible := 0
	for i, want := range must.Get(solutions(programs...))(t) {
		got := minimized(problems[i], nil, 1e6)
		switch {
		case !got.Proved:
			t.Errorf("problem %d: not proved", i)
		case want.Status == "Infeasible":
			infeasible++
			if got.Cluster != nil {
				t.Errorf("problem %d: cost %v, but HiGHS says that there is no placement", i, got.Cost)
			}
		case want.Status != "Optimal":
			t.Errorf("problem %d: HiGHS ends with %s", i, want.Status)
		case math.Abs(got.Cost-*want.Cost) > 1e-6:
			t.Errorf("problem %d: cost %v, HiGHS has %v", i, got.Cost, *want.Cost)
		}
	}
	if infeasible < 10 || infeasible > 150 {
		t.Errorf("%d of %d have no placement: the comparison is too easy", infeasible, len(problems))
	}
}

// networkScale turns costs and amounts into whole numbers.
const networkScale = 1e4

// costNetwork writes a problem in the format of toulbar2 (wcsp), with all figures scaled.
func costNetwork(p *solve.Problem) string {
	const top = int64(1) << 50
	whole := func(cost float64) int64 {
		if math.IsInf(cost, 1) {
			return top
		}
		return int64(math.Round(cost * networkScale))
	}
	var b strings.Builder
	cells := p.Jobs * p.Clusters
	fmt.Fprintf(&b, "p %d %d %d %d\n", p.Jobs+cells, p.Clusters, p.Jobs+cells+len(p.Dependencies)+len(p.Resources)*p.Clusters, top)
	b.WriteString(strings.Repeat(fmt.Sprintf("%d ", p.Clusters), p.Jobs) + strings.Repeat("2 ", cells) + "\n")
	// Knapsacks need variables that are 0 or 1: one for each job and cluster.
	for at := range cells {
		fmt.Fprintf(&b, "2 %d %d %d %d\n", at/p.Clusters, p.Jobs+at, top, p.Clusters)
		for c := range p.Clusters {
			is := 0
			if c == at%p.Clusters {
				is = 1
			}
			fmt.Fprintf(&b, "%d %d 0\n", c, is)
		}
	}
	for j := range p.Jobs {
		fmt.Fprintf(&b, "1 %d 0 %d\n", j, p.Clusters)
		for c := range p.Clusters {
			cost := math.Inf(1)
			if p.Allowed(j, c) {
				cost = p.Cost.At(j, c, p.Clusters)
			}
			fmt.Fprintf(&b, "%d %d\n", c, whole(cost))
		}
	}
	for k, d := range p.Dependencies {
		fmt.Fprintf(&b, "2 %d %d 0 %d\n", d.A, d.B, p.Clusters*p.Clusters)
		for at := range p.Clusters * p.Clusters {
			fmt.Fprintf(&b, "%d %d %d\n", at/p.Clusters, at%p.Clusters, whole(p.PairCost(k, at/p.Clusters, at%p.Clusters)))
		}
	}
	for _, r := range p.Resources {
		for c, capacity := range r.Capacity {
			fmt.Fprintf(&b, "%d", p.Jobs)
			for j := range p.Jobs {
				fmt.Fprintf(&b, " %d", p.Jobs+j*p.Clusters+c)
			}
			fmt.Fprintf(&b, " -1 knapsack %d", -int64(math.Floor(capacity*networkScale+1e-3)))
			for j := range p.Jobs {
				fmt.Fprintf(&b, " %d", -whole(r.Amount.At(j, c, p.Clusters)))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func toulbar2(b *testing.B, p *solve.Problem) answer {
	out := output(b, "p.wcsp", costNetwork(p), "toulbar2", "FILE", fmt.Sprintf("-timer=%d", peerSeconds))
	a := answer{cost: last(out, `New solution:`) / networkScale, bound: last(out, `(?:Dual bound:|bounds: \[|gap: \[)`) / networkScale}
	if optimum := last(out, `Optimum:`); !math.IsNaN(optimum) {
		a = answer{optimum / networkScale, optimum / networkScale, true}
	}
	return a
}
