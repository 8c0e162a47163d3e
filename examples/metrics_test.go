package examples_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// The metrics of a kind are figures of its reports.
func TestMetrics(t *testing.T) {
	for name, figures := range map[string]func(scenario.ReportBody) map[string]float64{
		"shop": func(r scenario.ReportBody) map[string]float64 {
			s := r.(*placementkind.Report).Strategies[1]
			return map[string]float64{"cost.total": float64(s.Total.Total), "jobs": 12, "backtracks": float64(s.Deployments[0].Backtracks), "placed.0": 1, "perUnit.0": float64(s.Deployments[0].PerUnit)}
		},
		"validation-1": func(r scenario.ReportBody) map[string]float64 {
			run := r.(*qoskind.Report).Policies[1].Run
			return map[string]float64{
				"availability.mean": float64(run.All.Availability.Mean), "met": float64(run.All.Fulfilled) / 256,
				"penalty": float64(run.All.Penalty), "preemptions": float64(run.Preemptions),
				"operationsPerPass": float64(run.Operations) / float64(run.Passes), "deficit.p99": float64(run.All.Deficits.At("p99")),
				"penalty.bronze": float64(run.Classes[2].Penalty),
			}
		},
		"three-masters": func(r scenario.ReportBody) map[string]float64 {
			s := r.(*federatekind.Report).Schedulers[1]
			return map[string]float64{"jobDelay.p50": float64(s.JobDelay.At("p50")), "allocation.p99": float64(s.Allocation.At("p99")), "messages": float64(s.Messages)}
		},
	} {
		s := named(t, name).Scenario
		r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
		kind, _ := scenario.Lookup(s.Kind)
		want := figures(r.Body)
		seen := map[string]bool{}
		for _, m := range kind.Figures {
			if m.Title == "" || seen[m.Name] {
				t.Errorf("%s: the metric %q has no title, or is there twice", name, m.Name)
			}
			seen[m.Name] = true
			for i, subject := range r.Body.Subjects() {
				v := m.Value(r.Body, i)
				if math.IsInf(float64(v), 0) || !v.Defined() && slices.Contains(kind.Headline, m.Name) {
					t.Errorf("%s: %s of %s is %v", name, m.Name, subject, v)
				}
			}
			if m.Value(r.Body, len(r.Body.Subjects())).Defined() {
				t.Errorf("%s: %s of no one", name, m.Name)
			}
			if got := float64(m.Value(r.Body, 1)); want[m.Name] != 0 && got != want[m.Name] {
				t.Errorf("%s: %s is %v, want %v", name, m.Name, got, want[m.Name])
			}
		}
		for _, metric := range slices.Concat(slices.Collect(maps.Keys(want)), kind.Headline) {
			if !seen[metric] {
				t.Errorf("%s: there is no metric %s", name, metric)
			}
		}
	}
}
