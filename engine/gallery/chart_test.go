package gallery

import (
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/study"
)

func placeOf(r *study.Report, cell int) int {
	m, _ := mark(nil, r, cell, "", "")
	return m.Place
}

// Each subject has a different place, the same in all cells.
func TestSubjectsAreToldApart(t *testing.T) {
	r := &study.Report{Factors: []study.FactorSummary{
		{Name: "workers", Levels: []any{1, 2}}, {Name: "scheduler", Levels: []any{"megha", "sparrow"}, Subjects: true},
	}}
	for _, workers := range []int{1, 2} {
		for _, name := range []string{"megha", "sparrow"} {
			r.Cells = append(r.Cells, study.Cell{Levels: map[string]any{"workers": workers, "scheduler": name}})
		}
	}
	if a, b, c := placeOf(r, 0), placeOf(r, 1), placeOf(r, 2); a == b || a != c {
		t.Errorf("megha is %d and %d, sparrow %d", a, c, b)
	}
}

// Subjects of types that Go cannot compare, as in a decoded report, are distinguished
// too.
func TestSubjectsOfAnyTypeAreToldApart(t *testing.T) {
	of := func(name string) any { return map[string]any{"label": name, "patch": []any{1}} }
	r := &study.Report{
		Factors: []study.FactorSummary{{Name: "scheduler", Levels: []any{of("megha"), of("sparrow")}, Subjects: true}},
		Cells: []study.Cell{
			{Levels: map[string]any{"scheduler": of("sparrow")}}, {Levels: map[string]any{"scheduler": of("megha")}}, {Levels: map[string]any{"scheduler": of("sparrow")}},
		},
	}
	if a, b, c := placeOf(r, 0), placeOf(r, 1), placeOf(r, 2); a == b || a != c {
		t.Errorf("sparrow is %d and %d, megha %d", a, c, b)
	}
}

// A single cell is shown by metrics that share a unit.
func TestMetricsOfOneCellAreCompared(t *testing.T) {
	of := func(mean float64) study.Aggregate {
		return study.Aggregate{Estimate: figure.EstimateOf([]float64{mean})}
	}
	r := &study.Report{
		Metrics: []study.MetricSummary{
			{Name: "queueing", Title: "Queueing", Unit: "s"}, {Name: "tasks", Title: "Tasks"}, {Name: "load", Title: "Load", Unit: "%"},
			{Name: "worker", Title: "Worker", Unit: "s"}, {Name: "none", Title: "None", Unit: "s"}, {Name: "jain", Title: "Jain"},
		},
		Cells: []study.Cell{{Metrics: map[string]study.Aggregate{"queueing": of(1), "tasks": of(100), "load": of(3), "worker": of(2), "jain": of(1)}}},
	}
	all := metricCharts(r)
	if len(all) != 1 {
		t.Fatalf("%d charts, want one of the two metrics in seconds", len(all))
	}
	bars := all[0]
	if len(bars.Marks) != 2 || bars.Unit != "s" || bars.Marks[0].Label != "Queueing" || bars.Marks[1].Label != "Worker" || bars.Marks[1].Value != 2 {
		t.Errorf("%+v", bars.Marks)
	}
}

// The panels that an entry declares are drawn side by side, and the table of such an
// entry shows no metric that the panels lack.
func TestPanelsHaveTheirMetricsSideBySide(t *testing.T) {
	one := 1.0
	for id, charts := range map[string]int{"thesis-6.4": 4, "qos-4": 3 + 2, "qos-7": 3 + 1, "qos-9": 3, "thesis-6.8": 4 + 2*2} {
		e, ok := Lookup(id)
		if !ok {
			t.Fatalf("there is no %s", id)
		}
		r := &study.Report{Factors: []study.FactorSummary{{Name: "subject", Levels: []any{"a", "b"}, Subjects: true}}}
		sizes := []any{1}
		if id == "thesis-6.8" {
			sizes = []any{50, 100}
		}
		r.Factors = append(r.Factors, study.FactorSummary{Name: "size", Levels: sizes})
		of := map[string]study.Aggregate{}
		for _, name := range study.Of(e.Scenario(false)).Metrics {
			r.Metrics = append(r.Metrics, study.MetricSummary{Name: name, Title: name})
			of[name] = study.Aggregate{Estimate: figure.EstimateOf([]float64{one})}
		}
		for _, size := range sizes {
			for _, subject := range []any{"a", "b"} {
				r.Cells = append(r.Cells, study.Cell{Levels: map[string]any{"subject": subject, "size": size}, Metrics: of})
			}
		}
		all, left := e.Charts(&study.Document{}, r)
		bars := 0
		for _, c := range all {
			bars += len(c.Marks)
		}
		if len(all) != charts || left != 0 || bars != len(r.Metrics)*len(r.Cells) {
			t.Errorf("%s: %d charts, want %d; %d bars, want %d; %d metrics are left", id, len(all), charts, bars, len(r.Metrics)*len(r.Cells), left)
		}
		if last := all[len(all)-1]; id == "thesis-6.8" && (!strings.HasSuffix(last.Title, ", size 100") || last.Marks[1].Label != "0, b") {
			t.Errorf("%s has %+v", last.Title, last.Marks[1])
		}
		if _, left := (&Entry{}).Charts(&study.Document{}, r); left == 0 {
			t.Errorf("%s needs no panels", id)
		}
	}
}

// A level that is a word needs no explanation, so the factor is named only before numbers.
func TestFactorsAreNamedBeforeNumbers(t *testing.T) {
	r := &study.Report{
		Factors: []study.FactorSummary{{Name: "contention", Levels: []any{"low", "high"}}, {Name: "a", Levels: []any{"0.1", "0.2"}}, {Name: "hosts", Levels: []any{5.0, 6.0}}},
		Cells:   []study.Cell{{Levels: map[string]any{"contention": "low", "a": "0.2", "hosts": 6.0}}},
	}
	if got := CellName(r, 0); got != "low, a 0.2, hosts 6" {
		t.Errorf("the cell is %q", got)
	}
}

// The curves of Φ are drawn over the missing capacity, one for each slope.
func TestAFactorOfNumbersGivesCurves(t *testing.T) {
	e, _ := Lookup("thesis-4.5")
	d := study.Of(e.Scenario(false))
	r := &study.Report{Metrics: []study.MetricSummary{{Name: "affinity", Title: "Φ"}}, Factors: []study.FactorSummary{{Name: "a", Levels: []any{0.001, 0.01}}, {Name: "missing"}}}
	if d.Factors[1].Name != e.Along {
		t.Fatalf("%q is no factor of numbers", e.Along)
	}
	for _, level := range d.Factors[1].Levels {
		r.Factors[1].Levels = append(r.Factors[1].Levels, level.Label)
	}
	one := 1.0
	for _, a := range r.Factors[0].Levels {
		for _, missing := range r.Factors[1].Levels {
			r.Cells = append(r.Cells, study.Cell{
				Levels: map[string]any{"a": a, "missing": missing}, Metrics: map[string]study.Aggregate{"affinity": {Estimate: figure.EstimateOf([]float64{one})}},
			})
		}
	}
	all, _ := e.Charts(d, r)
	if len(all) != 1 || all[0].Along != e.Along {
		t.Fatalf("%+v", all)
	}
	curves := map[string][]Mark{}
	for _, m := range all[0].Marks {
		curves[m.Label] = append(curves[m.Label], m)
	}
	if len(curves) != 2 || curves["a 0.01"] == nil {
		t.Fatalf("the curves are %v", curves)
	}
	for name, marks := range curves {
		if len(marks) != len(d.Factors[1].Levels) || marks[0].X != -1000 {
			t.Errorf("%s has the points %v", name, marks)
		}
		for i := 1; i < len(marks); i++ {
			if marks[i].X <= marks[i-1].X {
				t.Errorf("%s goes back: %v", name, marks)
			}
		}
	}
}

// Numbers of the paper are marks at the cells of their criteria. The mark of a ratio is computed
// from our figure of the other cell.
func TestNumbersOfThePaperAreMarks(t *testing.T) {
	value, half := 3.0, 0.5
	at := func(name string) map[string]any { return map[string]any{"policy": name} }
	of := func(mean float64) map[string]study.Aggregate {
		return map[string]study.Aggregate{"cost": {Estimate: figure.EstimateOf([]float64{mean})}}
	}
	r := &study.Report{
		Metrics: []study.MetricSummary{{Name: "cost", Title: "Cost"}}, Factors: []study.FactorSummary{{Name: "policy", Levels: []any{"a", "b", "c"}, Subjects: true}},
		Cells: []study.Cell{{Levels: at("a"), Metrics: of(2)}, {Levels: at("b"), Metrics: of(8)}, {Levels: at("c"), Metrics: of(1)}},
	}
	d := &study.Document{Criteria: []study.Criterion{
		{ID: "number", Test: study.Test{Kind: study.Within, Metric: "cost", At: at("a"), Value: &value, Absolute: &half}},
		{ID: "ratio", Test: study.Test{Kind: study.Ratio, Metric: "cost", At: at("c"), To: &study.Operand{At: at("b")}, Value: &half, Absolute: &half}},
	}}
	c := (&Entry{}).Chart(d, r)
	if c == nil || len(c.Marks) != 3 {
		t.Fatalf("the chart is %+v", c)
	}
	if got := c.Marks[0].Paper; got == nil || *got != 3 {
		t.Errorf("a has %v, want 3", got)
	}
	if c.Marks[1].Paper != nil {
		t.Errorf("b has %v, the paper says nothing", *c.Marks[1].Paper)
	}
	if got := c.Marks[2].Paper; got == nil || *got != 4 {
		t.Errorf("c has %v, want half of 8", got)
	}
}

// The winners of a contest are a table whose columns are the levels of the last factor.
func TestWinnersAreATable(t *testing.T) {
	r := &study.Report{
		Metrics: []study.MetricSummary{{Name: "shortJobs.p95", Title: "p95", Unit: "s"}},
		Factors: []study.FactorSummary{{Name: "scheduler", Levels: []any{"eagle", "fair", "sjf"}, Subjects: true}, {Name: "trace", Levels: []any{"Yahoo", "Google"}}, {Name: "load", Levels: []any{0.5, 1.1}}},
	}
	for s, name := range []string{"eagle", "fair", "sjf"} {
		for i, trace := range []string{"Yahoo", "Google"} {
			for k, load := range []float64{0.5, 1.1} {
				value := float64(10 + s*(1-2*k) + i) // eagle wins at low load, fair at high load
				if name == "sjf" {
					value = 1
				}
				r.Cells = append(r.Cells, study.Cell{
					Levels:  map[string]any{"scheduler": name, "trace": trace, "load": load},
					Metrics: map[string]study.Aggregate{"shortJobs.p95": {Estimate: figure.EstimateOf([]float64{value})}},
				})
			}
		}
	}
	all := winners(nil, r, []string{"eagle", "fair"})
	if len(all) != 1 || all[0].Across != "load" || len(all[0].Marks) != 4 {
		t.Fatalf("%+v", all)
	}
	for _, m := range all[0].Marks {
		want := map[string]string{"0.5": "eagle", "1.1": "fair"}[m.Column]
		if m.Subject != want || m.Row != "Yahoo" && m.Row != "Google" {
			t.Errorf("%+v: want %s", m, want)
		}
	}
}
