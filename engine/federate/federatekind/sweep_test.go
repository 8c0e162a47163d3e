package federatekind_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

// A sweep is an experiment with a cell for each combination. The figures of a cell equal those of
// the document with its values.
func TestASweepIsAnExperiment(t *testing.T) {
	d := small()
	d.Seeds = 2
	d.Sweep = []federatekind.Sweep{{Parameter: "workers", Values: []float64{30, 40}}, {Parameter: "gms", Values: []float64{1, 3}}}
	if _, err := federatekind.Prepare(t.Context(), d, scenario.Env{}); err == nil || !strings.Contains(err.Error(), "federate.sweep: many runs") {
		t.Errorf("run as one it gives %v", err)
	}
	r := asExperiment(t, *study.Of(study.Expand(federatekind.New("swept", *d))))
	if r.Runs != (study.Count{All: 8, Done: 8}) || len(r.Cells) != 4*len(d.Schedulers) {
		t.Fatalf("%+v, %d cells", r.Runs, len(r.Cells))
	}
	for i, point := range [][2]int{{30, 1}, {30, 3}, {40, 1}, {40, 3}} {
		at := *d
		at.Sweep, at.Workers, at.GMs = nil, point[0], point[1]
		for k, s := range run(t, &at).Schedulers {
			c := r.Cells[i*len(d.Schedulers)+k]
			if got, want := fmt.Sprint(c.Levels), fmt.Sprint(map[string]any{"workers": point[0], "gms": point[1], "scheduler": s.Name}); got != want {
				t.Fatalf("levels %s, want %s", got, want)
			}
			if len(c.Metrics) != len(s.Summary.Metrics) {
				t.Errorf("%v has %d figures, want %d", c.Levels, len(c.Metrics), len(s.Summary.Metrics))
			}
			for name, want := range s.Summary.Metrics {
				if a := c.Metrics[name]; a.Mean != want.Mean || a.HalfWidth != want.HalfWidth {
					t.Errorf("%v: %s is %v ± %v, want %v ± %v", c.Levels, name, a.Mean, a.HalfWidth, want.Mean, want.HalfWidth)
				}
			}
		}
	}
}

// Every parameter can be swept: the runs have its values, and the document does not change.
func TestEveryParameterIsSwept(t *testing.T) {
	for _, p := range federatekind.SweepParameters() {
		d := small()
		d.GMs, d.LMs = 1, 1
		inside, _ := within(&p)
		d.Sweep = []federatekind.Sweep{{Parameter: p.Name, Values: []float64{inside, p.Value(d)}}}
		before := text(t, d)
		plan := must.Get(study.NewPlan(study.Of(study.Expand(federatekind.New("", *d)))))(t)
		for i, want := range d.Sweep[0].Values {
			if r := plan.Run(i); r.Err != nil || p.Value(federatekind.Of(r.Scenario)) != want {
				t.Errorf("%s in run %d: %v, %+v; want %v", p.Name, i, r.Err, r.Scenario.Body, want)
			}
		}
		if after := text(t, d); after != before {
			t.Errorf("%s: the document became %s", p.Name, after)
		}
	}
}

// The sweep omits parameters that the experiment itself varies, and the experiment's seeds count.
func TestExperimentOverridesASweep(t *testing.T) {
	d := small()
	d.Seeds, d.Schedulers = 3, d.Schedulers[:1]
	d.Sweep = []federatekind.Sweep{{Parameter: "workers", Values: []float64{30, 40}}, {Parameter: "gms", Values: []float64{1, 2}}}
	r := asExperiment(t, study.Document{
		Base: federatekind.New("swept", *d), Seeds: 1,
		Factors: []study.Factor{{Name: "size", Path: "/federate/workers", Levels: study.Values(50, 60, 70)}},
	})
	var names []string
	for _, f := range r.Factors {
		names = append(names, fmt.Sprint(f.Name, f.Levels))
	}
	if want := []string{"size[50 60 70]", "gms[1 2]"}; !slices.Equal(names, want) || r.Runs.Done != 6 || r.Runs.Failed != 0 {
		t.Errorf("factors %v, want %v; %+v", names, want, r.Runs)
	}
	if len(d.Sweep) != 2 || d.Seeds != 3 {
		t.Error("the base lost its sweep")
	}
}

// A sweep takes all combinations, so it cannot be zipped.
func TestASweepIsNotZipped(t *testing.T) {
	d := small()
	d.Schedulers = d.Schedulers[:1]
	d.Sweep = []federatekind.Sweep{{Parameter: "workers", Values: []float64{30, 40}}, {Parameter: "gms", Values: []float64{1, 2}}}
	workers := study.Factor{Name: "workers", Path: "/federate/workers", Levels: study.Values(50, 60)}
	masters := study.Factor{Name: "gms", Path: "/federate/gms", Levels: study.Values(1, 2)}
	renamed := workers
	renamed.Name = "gms"
	for _, test := range []struct {
		design  string
		factors []study.Factor
		want    string
	}{
		{study.Zip, nil, "experiment.design: the base varies workers itself, in all combinations: with the design zip expected it among the factors instead"},
		{study.Zip, []study.Factor{workers}, "experiment.design: the base varies gms itself, in all combinations: with the design zip expected it among the factors instead"},
		{study.Full, []study.Factor{renamed}, `experiment.factors: the base varies gms itself: expected another name for the factor "gms"`},
	} {
		err := study.New("", study.Document{Base: federatekind.New("swept", *d), Design: test.design, Factors: test.factors}).Validate()
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s with %d factors: %v, want %s", test.design, len(test.factors), err, test.want)
		}
	}
	r := asExperiment(t, study.Document{Base: federatekind.New("swept", *d), Design: study.Zip, Factors: []study.Factor{workers, masters}, Seeds: 1})
	if r.Runs != (study.Count{All: 2, Done: 2}) || len(r.Cells) != 2 || fmt.Sprint(r.Cells[1].Levels) != "map[gms:2 workers:60]" {
		t.Errorf("%+v, %+v", r.Runs, r.Cells)
	}
}

// asExperiment runs an experiment after encoding and reading it.
func asExperiment(t *testing.T, d study.Document) *study.Report {
	t.Helper()
	text := scenario.Encode(study.New("", d))
	s := must.Get(scenario.Decode(text))(t)
	report := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	if got := scenario.Encode(s); string(got) != string(text) {
		t.Errorf("the document became %s", got)
	}
	return report.Body.(*study.Report)
}
