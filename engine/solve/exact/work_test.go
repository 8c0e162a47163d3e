//go:build !js

package exact_test

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// shapes are problems in which different parts of the search do most of the work.
var shapes = map[string]struct {
	make     func(*rand.Rand) *solve.Problem
	minimize bool // otherwise any placement is enough
}{
	"knapsacks of fractions":   {func(r *rand.Rand) *solve.Problem { return sized(r, 40, 20, 1, 0.01, 0) }, true},
	"knapsacks of whole sizes": {func(r *rand.Rand) *solve.Problem { return sized(r, 60, 6, 1, 1, 0) }, true},
	"two resources":            {func(r *rand.Rand) *solve.Problem { return sized(r, 40, 15, 2, 0.5, 0) }, true},
	"links":                    {func(r *rand.Rand) *solve.Problem { return sized(r, 30, 12, 1, 0.5, 60) }, true},
	"many clusters":            {func(r *rand.Rand) *solve.Problem { return sized(r, 20, 500, 1, 0.5, 30) }, true},
	"many jobs":                {func(r *rand.Rand) *solve.Problem { return sized(r, 500, 10, 1, 0.5, 0) }, true},
	"few clusters are left":    {func(r *rand.Rand) *solve.Problem { return crowded(r, 40, 20) }, false},
	"all refuse something":     {func(r *rand.Rand) *solve.Problem { return crowded(r, 150, 30) }, false},
}

// shapeSteps is the budget of each.
const shapeSteps = 100_000

// sized returns a problem whose amounts are multiples of a unit and whose jobs just fit on the
// clusters. A smaller amount costs more, and links have any price.
func sized(rng *rand.Rand, jobs, clusters, resources int, unit float64, dependencies int) *solve.Problem {
	p := &solve.Problem{Jobs: jobs, Clusters: clusters, Cost: solve.Matrix{Cells: make([]float64, jobs*clusters)}}
	for range resources {
		amounts, capacity := make([]float64, jobs*clusters), make([]float64, clusters)
		for i := range amounts {
			amounts[i] = unit * float64(int((5+20*rng.Float64())/unit))
			p.Cost.Cells[i] += 30 - amounts[i] + 3*rng.Float64()
		}
		for c := range capacity {
			capacity[c] = max(30, 16*float64(jobs)/float64(clusters)*(0.9+0.2*rng.Float64()))
		}
		p.Resources = append(p.Resources, solve.Resource{Amount: solve.Matrix{Cells: amounts}, Capacity: capacity})
	}
	for range dependencies {
		a := int32(rng.IntN(jobs - 1))
		p.Dependencies = append(p.Dependencies, solve.Dependency{A: a, B: a + 1 + int32(rng.IntN(jobs-1-int(a))), Weight: 1 + float64(rng.IntN(3))})
	}
	if dependencies > 0 {
		p.Links.Pair = make([]float64, clusters*clusters)
		for a := range clusters {
			for b := range a {
				p.Links.Pair[a*clusters+b] = 1 + 9*rng.Float64()
				p.Links.Pair[b*clusters+a] = p.Links.Pair[a*clusters+b]
			}
		}
	}
	return p
}

// crowded returns a problem with latencies and little room, so that a placement is hard to find.
func crowded(rng *rand.Rand, jobs, clusters int) *solve.Problem {
	p := sized(rng, jobs, clusters, 1, 0.5, 3*jobs)
	limit := solve.Limit{Pair: p.Links.Pair, Bound: make([]float64, len(p.Dependencies))}
	for k := range limit.Bound {
		limit.Bound[k] = 2 + 3*rng.Float64()
	}
	p.Limits = []solve.Limit{limit}
	for c, all := range p.Resources[0].Capacity {
		p.Resources[0].Capacity[c] = 0.75 * all
	}
	return p
}

const shapeVariable = "BERTH_TEST_SHAPE"

// TestShape is the test that TestStepsCountTheWork runs for each shape.
func TestShape(t *testing.T) {
	shape, ok := shapes[os.Getenv(shapeVariable)]
	if !ok {
		t.Skip("it is part of TestStepsCountTheWork")
	}
	p := shape.make(rand.New(rand.NewPCG(1, 1)))
	if shape.minimize {
		fmt.Println("steps:", minimize(p, nil, shapeSteps).Steps)
		return
	}
	_, _, steps := exact.Feasible(p, shapeSteps)
	fmt.Println("steps:", steps)
}

// A step always takes about the same number of statements of this package, so a budget limits the
// time. The compiler's own counters count them, independently of the steps.
func TestStepsCountTheWork(t *testing.T) {
	golden.Long(t)
	binary := filepath.Join(t.TempDir(), "exact.test")
	build := exec.Command("go", "test", "-c", "-covermode=atomic", "-coverpkg=berth/engine/solve/exact", "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	least, most := math.Inf(1), 0.
	for name := range shapes {
		profile := filepath.Join(t.TempDir(), "profile")
		run := exec.Command(binary, "-test.run=^TestShape$", "-test.coverprofile="+profile)
		run.Env = append(os.Environ(), shapeVariable+"="+name)
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		var steps int64
		fmt.Sscanf(string(out), "steps: %d", &steps)
		if steps < shapeSteps/10 {
			t.Errorf("%s: it ended after %d steps: too few to tell", name, steps)
		}
		each := float64(executed(t, profile)) / float64(steps)
		least, most = min(least, each), max(most, each)
		t.Logf("%s: %.0f statements a step", name, each)
	}
	if most > 4*least {
		t.Errorf("a step is %.0f to %.0f statements: some work is not counted", least, most)
	}
}

// executed adds up how often each statement was executed, from a profile with lines "file:from,to
// statements times".
func executed(t *testing.T, profile string) (sum int64) {
	t.Helper()
	file := must.Get(os.Open(profile))(t)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue
		}
		statements, _ := strconv.ParseInt(fields[1], 10, 64)
		times, _ := strconv.ParseInt(fields[2], 10, 64)
		sum += statements * times
	}
	return sum
}
