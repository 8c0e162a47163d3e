package examples_test

import (
	"fmt"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/figure"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/examples"
)

// outcome is the result of an example: a report, or the cells of a sweep.
type outcome struct {
	*federatekind.Report
	cells []study.Cell
}

// The findings of the paper on Megha, by the number of the figure: the direction must be the
// paper's, but the figures are ours.
var findings = map[string]func(*testing.T, outcome){
	"megha-figure-3": func(t *testing.T, r outcome) {
		ours, sparrow := r.Schedulers[0].Allocation, r.Schedulers[1].Allocation
		if float64(sparrow.At("p50")) >= float64(ours.At("p50")) {
			t.Errorf("the median of Sparrow is %v s, of Megha %v s; want the first smaller", float64(sparrow.At("p50")), float64(ours.At("p50")))
		}
		if float64(ours.At("max")) >= 1.5 || float64(sparrow.At("max")) <= 10 {
			t.Errorf("Megha takes up to %v s, Sparrow up to %v s; want less than 1.5 s and tens of seconds", float64(ours.At("max")), float64(sparrow.At("max")))
		}
		if float64(sparrow.At("p99")) < 100*float64(ours.At("p99")) {
			t.Errorf("the 99th percentile of Sparrow is %v s, of Megha %v s; want two orders of magnitude", float64(sparrow.At("p99")), float64(ours.At("p99")))
		}
	},
	"megha-figure-5": func(t *testing.T, r outcome) {
		if peak := r.Workload.Demand.Peak[0]; peak < 5000 || peak > 10_000 {
			t.Errorf("up to %v slots are asked for, want most of 10,000", peak)
		}
	},
	"megha-figure-6": func(t *testing.T, r outcome) {
		for i := 0; i < len(r.cells); i += 2 {
			many, one := r.cells[i].Of("allocation.p50").Mean, r.cells[i+1].Of("allocation.p50").Mean
			if one < 4*many {
				t.Errorf("%v: the median is %v s with one GM and one LM, %v s with ten", r.cells[i].Levels, one, many)
			}
		}
	},
	"megha-figure-7": func(t *testing.T, r outcome) {
		s := r.Schedulers[0]
		part := func(v figure.Number) figure.Number { return v / s.Allocation.At("p50") }
		m := s.Medians
		if part(m.Communication) < 0.9 || part(m.Processing) > 0.03 || part(m.Queueing) < 0.01 || part(m.Queueing) > 0.1 {
			t.Errorf("of the median: messages %v, processing %v, queueing %v", part(m.Communication), part(m.Processing), part(m.Queueing))
		}
	},
	"megha-figure-8": func(t *testing.T, r outcome) { wantAscending(t, r, "allocation.mean") },
	"megha-figure-9": func(t *testing.T, r outcome) {
		mean := map[string]float64{}
		for _, c := range r.cells {
			mean[fmt.Sprint([]any{c.Levels["gms"], c.Levels["lms"]})] = float64(c.Of("allocation.mean").Mean)
		}
		equal := mean["[10 10]"]
		if mean["[5 10]"] <= equal || mean["[10 5]"] <= equal {
			t.Errorf("fewer GMs or LMs do not take longer: %v", mean)
		}
		if more := mean["[20 10]"]; more <= equal || more > 1.5*equal {
			t.Errorf("more GMs than LMs are not slightly worse: %v", mean)
		}
	},
	"megha-figure-10": func(t *testing.T, r outcome) {
		slices.Reverse(r.cells) // the cluster shrinks
		for _, metric := range []string{"allocation.mean", "preemptions", "preemptionAttempts", "repartitions"} {
			wantAscending(t, r, metric)
		}
	},
	"megha-figure-12": func(t *testing.T, r outcome) {
		wantAscending(t, r, "allocation.p50")
		wantAscending(t, r, "jobDelay.p50")
	},
}

// wantAscending checks that a metric grows from point to point.
func wantAscending(t *testing.T, r outcome, metric string) {
	t.Helper()
	last := -1.0
	for _, c := range r.cells {
		v := float64(c.Of(metric).Mean)
		if v <= last {
			t.Errorf("%s at %v is %v after %v; want more", metric, c.Levels, v, last)
		}
		last = v
	}
}

func TestFindings(t *testing.T) {
	tested := 0
	for _, e := range examples.List() {
		check, ok := findings[e.Name]
		if !ok {
			continue
		}
		tested++
		t.Run(e.Name, func(t *testing.T) {
			report := run(t, e)
			if swept, ok := report.Body.(*study.Report); ok {
				for _, c := range swept.Cells {
					if got, want := c.Of("tasks").Mean, swept.Cells[0].Of("tasks").Mean; !(got >= 0.99*want && got > 0) {
						t.Errorf("%v: %v of %v tasks have ended", c.Levels, got, want)
					}
				}
				check(t, outcome{cells: swept.Cells})
				return
			}
			r := federatekind.ReportOf(report)
			for _, s := range r.Schedulers {
				if s.Tasks != r.Workload.Tasks {
					t.Errorf("%s: %d of %d tasks have ended", s.Name, s.Tasks, r.Workload.Tasks)
				}
			}
			check(t, outcome{Report: r})
		})
	}
	if tested != len(findings) {
		t.Errorf("%d of %d findings are examples", tested, len(findings))
	}
}

// A shared data centre shows everything that can happen to a task.
func TestFourSharesAreInteresting(t *testing.T) {
	for _, e := range examples.List() {
		if e.Name != "four-shares" {
			continue
		}
		s := must.Get(scenario.Decode(scenario.Encode(e.Scenario)))(t)
		x := must.Get(federatekind.Prepare(t.Context(), federatekind.Of(s), scenario.Env{}))(t)
		played := must.Get(x.Playback(t.Context(), federatekind.SchedulerQuery{}))(t)
		times := map[federate.Action]int{}
		for _, action := range played.What {
			times[federate.Action(action)]++
		}
		for action := federate.Requested; action < federate.ReservationMade; action++ {
			if times[action] == 0 {
				t.Errorf("no task is ever %v", action)
			}
		}
		return
	}
	t.Fatal("there is no such example")
}
