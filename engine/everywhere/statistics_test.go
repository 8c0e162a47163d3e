package everywhere_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/sim"
	"berth/engine/stats"
)

// arguments draws arguments of functions. It never adds to a product, because processors that fuse
// the two would draw other arguments.
type arguments struct{ *sim.Random }

// scaled returns a number within ±2^exponent/2.
func (a arguments) scaled(exponent int) float64 { return math.Ldexp(a.Float64()-0.5, exponent) }

// positive returns a positive number of any size.
func (a arguments) positive() float64 { return math.Ldexp(0.5+a.Float64(), a.IntN(2000)-1000) }

// sample returns at least two numbers, often with ties, either from 0 on or around 0.
func (a arguments) sample() []float64 {
	x := make([]float64, 2+a.IntN(60))
	ties, signed := a.IntN(2) == 0, a.IntN(2) == 0
	for i := range x {
		if x[i] = 20 * a.Float64(); ties {
			x[i] = math.Round(x[i])
		}
		if signed && a.IntN(2) == 0 {
			x[i] = -x[i]
		}
	}
	return x
}

// amounts returns numbers from 0 on.
func (a arguments) amounts() []float64 {
	x := a.sample()
	for i := range x {
		x[i] = math.Abs(x[i])
	}
	return x
}

func sorted(x []float64) []float64 {
	slices.Sort(x)
	return x
}

func elementary(of func(float64) float64, draw func(arguments) float64) func(arguments) any {
	return func(a arguments) any { return of(draw(a)) }
}

func ofSample(of func([]float64) float64) func(arguments) any {
	return func(a arguments) any { return of(a.sample()) }
}

// function is one of package stats.
type function struct {
	name  string
	times int // number of calls
	call  func(arguments) any
}

// functions has every exported function of package stats.
var functions = []function{
	{"Exp", 5000, elementary(stats.Exp, func(a arguments) float64 { return a.scaled(11) })},
	{"Exp2", 5000, elementary(stats.Exp2, func(a arguments) float64 { return a.scaled(12) })},
	{"Log", 5000, elementary(stats.Log, arguments.positive)},
	{"Log2", 5000, elementary(stats.Log2, arguments.positive)},
	{"Log10", 5000, elementary(stats.Log10, arguments.positive)},
	{"Cos", 5000, elementary(stats.Cos, func(a arguments) float64 { return a.scaled(a.IntN(30)) })},
	{"Sin", 5000, elementary(stats.Sin, func(a arguments) float64 { return a.scaled(a.IntN(30)) })},
	{"Atan", 5000, elementary(stats.Atan, func(a arguments) float64 { return a.scaled(a.IntN(60) - 20) })},
	{"Asin", 5000, elementary(stats.Asin, func(a arguments) float64 { return a.scaled(1) })},
	{"Mean", 200, ofSample(stats.Mean)},
	{"Deviation", 200, ofSample(stats.Deviation)},
	{"HalfWidth95", 200, ofSample(stats.HalfWidth95)},
	{"PairedP", 200, ofSample(stats.PairedP)},
	{"Wilcoxon", 200, ofSample(stats.Wilcoxon)},
	{"HodgesLehmann", 200, ofSample(stats.HodgesLehmann)},
	{"Jain", 200, ofSample(stats.Jain)},
	{"Defined", 200, func(a arguments) any { return stats.Defined(append(a.sample(), math.NaN())) }},
	{"Estimate", 200, func(a arguments) any {
		n, mean, halfWidth := stats.Estimate(append(a.sample(), math.NaN()))
		return []any{n, mean, halfWidth}
	}},
	{"StudentT975", 100, func(a arguments) any { return stats.StudentT975(1 + a.IntN(1+a.IntN(2000))) }},
	{"StudentP", 200, func(a arguments) any { return stats.StudentP(a.scaled(4), 1+a.IntN(200)) }},
	{"Quantile", 200, func(a arguments) any { return stats.Quantile(sorted(a.sample()), a.Float64()) }},
	{"Gini", 200, func(a arguments) any { return stats.Gini(sorted(a.amounts())) }},
	{"Sorted", 200, func(a arguments) any {
		return stats.Sorted([]uint32{uint32(a.Uint64()), uint32(a.Uint64()), uint32(a.Uint64())}, 1000)
	}},
	{"Histogram", 200, func(a arguments) any { return stats.Histogram(a.sample(), -20, 20, 1+a.IntN(40)) }},
	{"NewLogHistogram", 200, func(a arguments) any {
		h := stats.NewLogHistogram(append(a.amounts(), a.positive()/2+1))
		return []any{h.Zero, h.Lower[:min(len(h.Lower), 50)], h.Upper, h.Count[:min(len(h.Count), 50)], h.End(0)}
	}},
	{"Density", 50, func(a arguments) any { return stats.Density(sorted(a.sample()), 64) }},
	{"Welch", 200, func(a arguments) any {
		t, freedom := stats.Welch(a.sample(), a.sample())
		return []any{t, freedom}
	}},
	{"RatioOf", 5, func(a arguments) any {
		x := a.amounts()
		r := stats.RatioOf(x, append(x[1:len(x):len(x)], 7), a.Uint64())
		return []any{r.Value, r.Low, r.High, r.P(1)}
	}},
	{"CliffsDelta", 200, func(a arguments) any { return stats.CliffsDelta(a.sample(), a.sample()) }},
	{"Holm", 200, func(a arguments) any {
		return stats.Holm([]float64{a.Float64(), a.Float64(), a.Float64(), a.Float64()})
	}},
	{"Proportion", 50, func(a arguments) any {
		n := 1 + a.IntN(60)
		low, high := stats.Proportion(a.IntN(n+1), n)
		return []any{low, high}
	}},
	{"BinomialP", 50, func(a arguments) any {
		n := 1 + a.IntN(60)
		return stats.BinomialP(a.IntN(n+1), n, a.Float64())
	}},
	{"MedianBetween", 100, func(a arguments) any {
		low, high := stats.MedianBetween(sorted(a.sample()))
		return []any{low, high}
	}},
}

// sameStatistics calls every function of package stats. It writes all bits of the results, except
// that every NaN is the same, because its bits depend on the processor.
func sameStatistics(t *testing.T) {
	var all results
	for i, f := range functions {
		a, values := arguments{sim.NewRandom(1, uint64(i))}, []byte(nil)
		for range f.times {
			values = fmt.Appendf(values, "%x\n", f.call(a))
		}
		all.add(f.name, "", values)
	}
	golden.Lines(t, "testdata/statistics.txt", all.String())
}

// A new function of package stats needs a row.
func TestEveryStatisticIsCompared(t *testing.T) {
	entries := must.Get(os.ReadDir("../stats"))(t)
	found := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file := must.Get(parser.ParseFile(token.NewFileSet(), filepath.Join("../stats", e.Name()), nil, parser.SkipObjectResolution))(t)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() {
				continue
			}
			found++
			if !slices.ContainsFunc(functions, func(row function) bool { return row.name == f.Name.Name }) {
				t.Errorf("stats.%s has no row", f.Name.Name)
			}
		}
	}
	if found != len(functions) {
		t.Errorf("%d functions found, and %d rows", found, len(functions))
	}
}
