//go:build !js

package gallery_test

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/runs"
	"berth/engine/study"
)

// planted falsifies the result of a run, given its cell and the results of all cells with the
// same seed.
type planted func(own *study.Result, cell int, all []*study.Result)

// If the true result of an entry agrees, a false one never does, not even in direction.
func TestPlantedResultsAreCaught(t *testing.T) {
	golden.Long(t)
	qos4, qos5 := firstResult(t, "qos-4"), firstResult(t, "qos-5")
	for _, test := range []struct {
		entry, name string
		plant       planted
	}{
		{"qos-4", "two policies exchanged", exchanged},
		{"qos-4", "two classes exchanged", renamed("gold", "bronze")},
		{"qos-4", "a tenth of the effect", tenth},
		{"qos-4", "the same figures for both policies", same},
		{"qos-4", "figure 5 instead of figure 4", replaced(qos5)},
		{"qos-4", "zeros", each(func(float64) float64 { return 0 })},
		{"qos-4", "per cent instead of fractions", each(func(x float64) float64 { return 100 * x })},
		{"qos-5", "two policies exchanged", exchanged},
		{"qos-5", "a tenth of the effect", tenth},
		{"qos-5", "figure 4 instead of figure 5", replaced(qos4)},
		{"qos-5", "time lost instead of time available", each(func(x float64) float64 { return 1 - x })},
		{"qos-5", "means and minima exchanged", renamed("mean", "min")},
		{"qos-5", "no figures", each(func(float64) float64 { return math.NaN() })},
		{"thesis-4.5", "levels in the reverse order", reversed},
		{"thesis-4.5", "a constant", each(func(float64) float64 { return 1 })},
		{"thesis-4.5", "a tenth too much", each(func(x float64) float64 { return 1.1 * x })},
		{"megha-3", "two schedulers exchanged", exchanged},
		{"megha-3", "a tenth of the effect", tenth},
		{"megha-3", "milliseconds instead of seconds", each(func(x float64) float64 { return 1000 * x })},
		{"megha-6", "two schedulers exchanged", exchanged},
		{"megha-6", "the same figures for both schedulers", same},
		{"fgd-default", "two policies exchanged", exchanged},
		{"fgd-default", "a hundredth of the effect", func(own *study.Result, cell int, all []*study.Result) {
			tenth(own, cell, all)
			tenth(own, cell, all)
		}},
	} {
		e, _ := gallery.Lookup(test.entry)
		s := e.Scenario(false)
		if v := e.Verdict(run(t, s)); v != study.Agrees && v != study.Direction {
			t.Errorf("%s: the true result is %s", test.entry, v)
		}
		r := falsified(t, study.Of(s), test.plant)
		if v := e.Verdict(r); v == study.Agrees || v == study.Direction {
			t.Errorf("%s: %s with %s: %+v", test.entry, v, test.name, r.Criteria)
		}
	}
}

// falsified returns the report of an experiment whose known results are falsified.
func falsified(t *testing.T, d *study.Document, plant planted) *study.Report {
	t.Helper()
	plan := must.Get(study.NewPlan(d))(t)
	seeds := max(1, d.Seeds)
	cells := plan.Runs() / seeds
	known := func(ctx context.Context, run int) (*study.Result, error) {
		key, err := plan.Key(run)
		if err != nil {
			return nil, err
		}
		return known.Get(ctx, key)
	}
	sheet := plan.NewSheet()
	must.Do(t, sheet.Carry(t.Context(), nil, runs.AtOnce(1, func(ctx context.Context, j study.Job) (*study.Result, error) {
		var all []*study.Result
		for cell := range cells {
			r, err := known(ctx, j.Run-j.Run%cells+cell)
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
		own := *all[j.Run%cells]
		own.Subjects, own.Metrics = slices.Clone(own.Subjects), maps.Clone(own.Metrics)
		for name, values := range own.Metrics {
			own.Metrics[name] = slices.Clone(values)
		}
		plant(&own, j.Run%cells, all)
		return &own, nil
	}), nil))
	return sheet.Report()
}

// firstResult returns the result of an entry's first run.
func firstResult(t *testing.T, id string) *study.Result {
	t.Helper()
	e, _ := gallery.Lookup(id)
	s := e.Scenario(false)
	run(t, s)
	plan := must.Get(study.NewPlan(study.Of(s)))(t)
	key := must.Get(plan.Key(0))(t)
	r, err := known.Get(t.Context(), key)
	if err != nil || r == nil {
		t.Fatalf("%s: %v", id, err)
	}
	return r
}

func exchanged(own *study.Result, _ int, _ []*study.Result) {
	last := len(own.Subjects) - 1
	own.Subjects[0], own.Subjects[last] = own.Subjects[last], own.Subjects[0]
}

func renamed(a, b string) planted {
	return func(own *study.Result, _ int, _ []*study.Result) {
		all := map[string][]figure.Number{}
		for name, values := range own.Metrics {
			all[strings.NewReplacer(a, b, b, a).Replace(name)] = values
		}
		own.Metrics = all
	}
}

// tenth shrinks the differences between the subjects to a tenth.
func tenth(own *study.Result, _ int, _ []*study.Result) {
	for _, values := range own.Metrics {
		for i := range values {
			values[i] = values[0] + (values[i]-values[0])/10
		}
	}
}

func same(own *study.Result, _ int, _ []*study.Result) {
	for _, values := range own.Metrics {
		for i := range values {
			values[i] = values[0]
		}
	}
}

func replaced(by *study.Result) planted {
	return func(own *study.Result, _ int, _ []*study.Result) { own.Metrics = by.Metrics }
}

func each(change func(float64) float64) planted {
	return func(own *study.Result, _ int, _ []*study.Result) {
		for _, values := range own.Metrics {
			for i := range values {
				values[i] = figure.Number(change(float64(values[i])))
			}
		}
	}
}

func reversed(own *study.Result, cell int, all []*study.Result) {
	own.Metrics = all[len(all)-1-cell].Metrics
}
