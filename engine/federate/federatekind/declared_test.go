package federatekind

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

// A figure that is declared once appears in JSON, CSV, text, summaries, comparisons and
// experiments.
func TestAFigureIsDeclaredOnce(t *testing.T) {
	figures := Figures
	t.Cleanup(func() { Figures, Kind.Figures = figures, figures })
	Figures = append(slices.Clip(figures), figure.Of(figure.Figure{Name: "twice", Label: "twice", Title: "Twice the tasks", Path: "tasks2.twice"},
		func(s *SchedulerReport) figure.Number { return figure.Number(2 * s.Tasks) }))
	Kind.Figures = Figures
	s := New("", Document{
		Trace:   scenario.Source{Name: "jobs.tr", Text: "0 3 10 5 10 15\n1 2 1 1 1\n2 4 20 20 20 20 20\n"},
		Workers: 6, GMs: 2, LMs: 2, Schedulers: []string{"megha"}, Seed: 1, Seeds: 2,
	})
	report := scenariotest.HasFigure(t, s, "twice", "twice")
	body := ReportOf(report)
	if text := string(report.Text()); !strings.Contains(text, "twice") {
		t.Errorf("the text has no such figure:\n%s", text)
	}
	if file := Tables[0].CSV(body); !strings.Contains(string(file), ",twice\n") {
		t.Errorf("CSV has no such figure: %s", file)
	}
	if data, err := json.Marshal(CommandReport(body, nil)); err != nil || !strings.Contains(string(data), `"tasks2":{"twice":18}`) {
		t.Errorf("the JSON of the command has no such figure: %s, %v", data, err)
	}
}
