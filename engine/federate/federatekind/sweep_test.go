package federatekind_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
	"berth/engine/study"
)

// A sweep run as an experiment, a run for each point and seed, gives the figures of the
// document's own report.
func TestSweepIsAnExperiment(t *testing.T) {
	d := small()
	d.Seeds = 2
	d.Sweep = []federatekind.Sweep{{Parameter: "workers", Values: []float64{30, 40}}, {Parameter: "costTake", Values: []float64{1e-5, 1e-3}}}
	r := asExperiment(t, study.Document{Base: federatekind.New("swept", *d), Compare: "scheduler"})
	if r.Runs != (study.Count{All: 8, Done: 8}) || len(r.Comparisons) != 8 {
		t.Fatalf("%+v, %d comparisons", r.Runs, len(r.Comparisons))
	}
	for i, p := range run(t, d).Points {
		for k, s := range p.Schedulers {
			c := r.Cells[i*len(p.Schedulers)+k]
			if got, want := fmt.Sprint(c.Levels), fmt.Sprint(map[string]any{"workers": p.Values[0], "costTake": p.Values[1], "scheduler": s.Name}); got != want {
				t.Fatalf("levels %s, want %s", got, want)
			}
			for _, m := range r.Metrics {
				a, want := c.Metrics[m.Name], s.Metrics[m.Name]
				if a.Mean != want.Mean || a.HalfWidth != want.HalfWidth {
					t.Errorf("%v: %s is %v ± %v, want %v ± %v", c.Levels, m.Name, a.Mean, a.HalfWidth, want.Mean, want.HalfWidth)
				}
			}
		}
	}
}

// The sweep leaves out what the experiment itself varies, and the experiment's seeds
// count.
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

// A sweep takes all combinations, so zipped it would be another one.
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

// asExperiment runs an experiment as it is read.
func asExperiment(t *testing.T, d study.Document) *study.Report {
	t.Helper()
	text := scenario.Encode(study.New("", d))
	s, err := scenario.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	report, err := scenario.Run(t.Context(), s, scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if got := scenario.Encode(s); string(got) != string(text) {
		t.Errorf("the document became %s", got)
	}
	return report.Body.(*study.Report)
}
