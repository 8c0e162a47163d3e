//go:build !js

package exact_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/solve"
)

// linear returns a random assignment without links and with some forbidden pairs, and the same
// problem as a linear program in CPLEX's format.
func linear(rng *rand.Rand) (*solve.Problem, string) {
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
	var b strings.Builder
	b.WriteString("Minimize\n obj: 0 z")
	for i, cost := range p.Cost.Cells {
		fmt.Fprintf(&b, "\n + %v x%d", cost, i)
	}
	b.WriteString("\nSubject To\n")
	for j := range p.Jobs {
		for c := range p.Clusters {
			fmt.Fprintf(&b, " + x%d", j*p.Clusters+c)
		}
		b.WriteString(" = 1\n")
	}
	for _, r := range p.Resources {
		for c := range p.Clusters {
			for j := range p.Jobs {
				fmt.Fprintf(&b, " + %v x%d", r.Amount.Cells[j*p.Clusters+c], j*p.Clusters+c)
			}
			fmt.Fprintf(&b, " <= %v\n", r.Capacity[c])
		}
	}
	b.WriteString("Bounds\n z = 0\n")
	for j := range p.Jobs {
		if rng.IntN(3) == 0 {
			c := rng.IntN(p.Clusters)
			p.Forbid(j, c)
			fmt.Fprintf(&b, " x%d = 0\n", j*p.Clusters+c)
		}
	}
	b.WriteString("Binary\n")
	for i := range p.Cost.Cells {
		fmt.Fprintf(&b, " x%d", i)
	}
	return p, b.String() + "\nEnd\n"
}

// HiGHS, a solver by others, finds the same optima. It is a package in web/, which make installs;
// make also sets its path.
func TestHiGHSAgrees(t *testing.T) {
	golden.Long(t)
	packages := os.Getenv("BERTH_PACKAGES")
	if packages == "" {
		t.Skip("BERTH_PACKAGES is not set: optima are not compared with those of HiGHS")
	}
	module := filepath.Join(packages, "highs", "build", "highs.js")
	rng := rand.New(rand.NewPCG(7, 7))
	problems, programs := make([]*solve.Problem, 200), make([]string, 200)
	for i := range problems {
		problems[i], programs[i] = linear(rng)
	}
	in := must.Get(json.Marshal(programs))(t)
	node := exec.Command("node", "testdata/highs.cjs", module)
	node.Stdin, node.Stderr = bytes.NewReader(in), os.Stderr
	out := must.Get(node.Output())(t)
	var optima []*float64
	if err := json.Unmarshal(out, &optima); err != nil {
		t.Fatalf("%v: %.200s", err, out)
	}
	infeasible := 0
	for i, p := range problems {
		got := minimize(p, nil, 1e6)
		switch want := optima[i]; {
		case !got.Proved:
			t.Errorf("problem %d: not proved", i)
		case want == nil:
			infeasible++
			if got.Cluster != nil {
				t.Errorf("problem %d: cost %v, but HiGHS says that there is no placement", i, got.Cost)
			}
		case math.Abs(got.Cost-*want) > 1e-6:
			t.Errorf("problem %d: cost %v, HiGHS has %v", i, got.Cost, *want)
		}
	}
	if infeasible < 10 || infeasible > 150 {
		t.Errorf("%d of %d have no placement: the comparison is too easy", infeasible, len(problems))
	}
}
