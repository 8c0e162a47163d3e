//go:build !js

package study_test

import (
	"math"
	"slices"
	"testing"

	"berth/engine/gallery"
	_ "berth/engine/kinds"
	"berth/engine/scenario"
	"berth/engine/study"
)

// documents returns the experiment of each entry in each size and on each input, by name. The
// authors' files are empty, because nothing runs.
func documents() map[string]*study.Document {
	files := gallery.AuthorFiles{}
	for _, s := range gallery.Manifest() {
		files[s.ID] = scenario.Source{Name: s.ID, Text: " "}
	}
	all := map[string]*study.Document{}
	for _, e := range gallery.List() {
		for _, on := range e.OnInputs(files) {
			all[e.ID+" "+on.Input] = study.Of(on.Scenario(false))
			if !testing.Short() {
				all[e.ID+" "+on.Input+" full"] = study.Of(on.Scenario(true))
			}
		}
	}
	return all
}

// Each criterion of each entry agrees with a result that it describes, differs from an opposite
// one, and does not agree with noise.
func TestCriteriaDecide(t *testing.T) {
	for name, d := range documents() {
		judge := study.Judge(d)
		for i := range d.Criteria {
			c := &d.Criteria[i]
			for want, figures := range map[study.Verdict][]result{
				study.Agrees: agreeing(&c.Test, d.Seeds), study.Differs: opposite(&c.Test), study.Undecided: undecidable(&c.Test),
			} {
				var got study.Judged
				for _, f := range figures {
					if got = judge([]study.Criterion{*c}, f.figures(d, &c.Test)).Criteria[0]; got.Verdict == want {
						break
					}
				}
				if got.Verdict != want && (want != study.Undecided || got.Verdict == study.Agrees) {
					t.Errorf("%s: %s with a result that should be %s: expected %s, found %s: %s %s", name, c.ID, want, got.Published, got.Ours, got.Verdict, got.Why)
				}
			}
		}
	}
}

// If a figure is the same everywhere, an entry never agrees, not even in direction.
func TestConstantsAgreeWithNothing(t *testing.T) {
	for name, d := range documents() {
		judge := study.Judge(d)
		for _, constant := range []float64{0, 0.5, 1, 100} {
			r := judge(d.Criteria, func(map[string]any, string, int) float64 { return constant })
			if r.Verdict == study.Agrees || r.Verdict == study.Direction {
				t.Errorf("%s: %s with %v everywhere", name, r.Verdict, constant)
			}
		}
	}
}

// result invents the figure of a test, or of its second operand, by seed and by level of the factor
// along which it changes.
type result func(second bool, level, seed int) float64

// figures returns the result as figures of cells.
func (made result) figures(d *study.Document, test *study.Test) study.Figures {
	first := study.Operand{Metric: test.Metric, At: test.At}
	return func(at map[string]any, metric string, seed int) float64 {
		level := 0
		if test.Along != "" {
			level = study.LevelOf(d, at, test.Along)
			if test.Falling {
				level = -level
			}
		}
		isFirst := first.Metric == metric && first.Has(at)
		return made(!isFirst && test.To != nil && test.Other().Metric == metric && test.Other().Has(at), level, seed)
	}
}

// base is the figure of the second operand.
const base = 100.0

// ripple is a small change that differs from seed to seed.
func ripple(seed int) float64 { return 1e-6 * float64(seed%3) }

// agreeing returns results that a test describes; the criterion must agree with at least one.
func agreeing(test *study.Test, seeds int) (all []result) {
	low, high := test.Band()
	switch {
	case test.Statistic == study.Proportion:
		for k := range seeds + 1 {
			all = append(all, func(_ bool, _, seed int) float64 { return oneIf(seed < k) })
		}
	case test.Kind == study.Ratio:
		all = append(all, func(second bool, _, seed int) float64 {
			if second {
				return base * (1 + ripple(seed))
			}
			return base * inside(low, high)
		})
	case test.Kind == study.Within || test.Kind == study.Between:
		all = append(all, func(_ bool, _, seed int) float64 { return inside(low, high) + 1e-6*(high-low)*ripple(seed) })
		if math.IsInf(high-low, 1) {
			all = []result{func(_ bool, _, seed int) float64 { return inside(low, high) * (1 + ripple(seed)) }}
		}
	case test.Kind == study.Order:
		all = append(all, func(second bool, _, seed int) float64 {
			if second {
				return base
			}
			return base*(1.01+2*test.Smallest()) + ripple(seed)
		})
	default:
		all = append(all, func(second bool, level, seed int) float64 {
			if second {
				return base
			}
			return base * math.Pow(1.1+2*test.Smallest(), float64(level)) * (1 + ripple(seed))
		})
	}
	return all
}

// inside returns a number in a band, away from its bounds.
func inside(low, high float64) float64 {
	switch {
	case math.IsInf(low, -1):
		return high / 2
	case math.IsInf(high, 1):
		return 2 * low
	}
	return (low + high) / 2
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// opposite returns results that contradict a test. None of their figures is negative, and figures
// of a proportion are at most 1.
func opposite(test *study.Test) (all []result) {
	low, high := test.Band()
	switch {
	case test.Statistic == study.Proportion:
		for _, all1 := range []bool{false, true} {
			all = append(all, func(bool, int, int) float64 { return oneIf(all1) })
		}
	case test.Kind == study.Ratio:
		for _, times := range []float64{low / 2, 2 * high} {
			all = append(all, func(second bool, _, seed int) float64 {
				if second {
					return base * (1 + ripple(seed))
				}
				return base * times
			})
		}
		all = slices.DeleteFunc(all, func(r result) bool { x := r(false, 0, 0); return math.IsInf(x, 0) || x < 0 })
	case test.Kind == study.Within || test.Kind == study.Between:
		wide := math.Max(0, high-low)
		for _, v := range []float64{low - wide/2, low / 2, high + wide/2, 2*high + 1} {
			if v >= 0 && !math.IsInf(v, 0) && (v < low || v > high) {
				all = append(all, func(bool, int, int) float64 { return v })
			}
		}
	default: // exchange the labels or the levels
		for _, agree := range agreeing(test, 0) {
			all = append(all, func(second bool, level, seed int) float64 {
				if test.Kind == study.Monotone {
					return agree(second, -level, seed)
				}
				return agree(!second, level, seed)
			})
		}
	}
	return all
}

// undecidable returns results around the border of a test, which decide nothing.
func undecidable(test *study.Test) []result {
	low, high := test.Band()
	border := low
	if math.IsInf(low, -1) || low == 0 {
		border = high
	}
	around := func(x float64, seed int) float64 { return x * (1 + 0.9*float64(1-2*(seed%2))) }
	return []result{func(second bool, level, seed int) float64 {
		switch {
		case test.Statistic == study.Proportion:
			return float64(seed % 2)
		case (test.Kind == study.Within || test.Kind == study.Between) && border < 1 && (high <= 1 || math.IsInf(high, 1)): // a fraction
			return float64(seed % 2)
		case test.Kind == study.Ratio && second, test.Kind == study.Monotone && second:
			return base
		case test.Kind == study.Ratio:
			return around(base*border, seed)
		case test.Kind == study.Within || test.Kind == study.Between:
			return around(border, seed)
		case second:
			return around(base, seed+1)
		}
		return around(base, seed+level&1)
	}}
}
