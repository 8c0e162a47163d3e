package placementkind

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

// A figure that is declared once appears in summaries, text, CSV and experiments, for all
// deployments and for each.
func TestAFigureIsDeclaredOnce(t *testing.T) {
	tallied, figures := Tallied, Kind.Figures
	t.Cleanup(func() { Tallied, Kind.Figures = tallied, figures })
	Tallied = append(slices.Clip(tallied), figure.Of(figure.Figure{
		Name: "within", Label: "within clusters", Title: "Dependencies within clusters", Column: "within clusters", Key: "within", Each: "within",
	}, func(t *Tally) figure.Number { return figure.Number(t.links) }))
	Kind.Figures = declared()

	s := testScenario(StrategyRun{Name: "random", Seeds: 3})
	e, report := runTest(t, s, scenario.Env{})
	summary := ReportOf(report).Strategies[0].Deployments[0].Summary
	text, err := json.Marshal(summary)
	var back Summary
	if err != nil || json.Unmarshal(text, &back) != nil || back.At("within") != summary.At("within") || back.At("within").N != 3 || !strings.Contains(string(text), `,"within":{"n":3,`) {
		t.Errorf("the summary is %s, %v", text, err)
	}
	if got := string(report.Text()); !strings.Contains(got, "within clusters") {
		t.Errorf("the text has no such figure:\n%s", got)
	}
	if file, err := e.Export(ExportQuery{Format: FiguresCSV}); err != nil || !strings.Contains(string(file.Data), ",within clusters,within clusters half-width\n") {
		t.Errorf("CSV has no such figure: %s, %v", file.Data, err)
	}
	for _, name := range []string{"within", "within.0"} {
		if x := experiment(t, s, name); x.N == 0 {
			t.Errorf("an experiment has no %s", name)
		}
	}
}

// experiment runs a scenario as an experiment and returns the estimate of a figure for the first
// strategy.
func experiment(t *testing.T, s scenario.Scenario, name string) figure.Estimate {
	t.Helper()
	report := must.Get(scenario.Run(t.Context(), study.New("", study.Document{Base: s, Metrics: []string{name}}), scenario.Env{}))(t)
	return report.Body.(*study.Report).Cells[0].Metrics[name].Estimate
}

// The certificate has figures in experiments; the optimum is undefined if nothing proves it.
func TestCertificatesAreFigures(t *testing.T) {
	for strategy, want := range map[string]map[string]figure.Number{
		"exact":     {"bound": 160, "gap": 0, "proved": 1, "cost.optimal": 160},
		"heuristic": {"bound": 140, "gap": 20. / 140, "proved": 0, "cost.optimal": figure.Undefined},
	} {
		s := testScenario(StrategyRun{Name: strategy})
		Of(s).Deployments = Of(s).Deployments[2:]
		for name, value := range want {
			got := experiment(t, s, name).Mean
			if got.Defined() != value.Defined() || !(got-value < 1e-9) && value.Defined() || value-got > 1e-9 {
				t.Errorf("%s of %s is %v, want %v", name, strategy, got, value)
			}
		}
	}
}
