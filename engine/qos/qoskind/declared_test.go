package qoskind

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

// A figure of classes that is declared once appears in JSON, CSV, means over seeds, comparisons and
// experiments, for all classes and for each.
func TestAFigureIsDeclaredOnce(t *testing.T) {
	figures := ClassFigures
	t.Cleanup(func() { ClassFigures = figures; Figures = declared(); Kind.Figures = Figures })
	ClassFigures = append(slices.Clip(figures), figure.Of(
		figure.Figure{Name: "twice", Label: "twice", Title: "Twice the requests", Path: "of.twice", Column: "twice", Key: "twice"},
		func(f *qos.ClassFigures) figure.Number { return figure.Number(2 * f.Requests) }))
	Figures = declared()
	Kind.Figures = Figures
	s := New("", Document{
		Workload: scenario.Source{Name: "requests.csv", Text: "id,submit_s,duration_s,cpu,memory,class\nfirst,0,100,1,1,bronze\nsecond,5,100,1,1,gold\nthird,25,100,1,1,silver\n"},
		Hosts:    scenario.Source{Name: "hosts.csv", Text: "name,cpu,memory\nonly,1,1\n"}, Policies: []PolicyRun{{Name: "qos"}}, Seeds: 2,
	})
	body := ReportOf(scenariotest.HasFigure(t, s, "twice", "twice"))
	scenariotest.HasFigure(t, s, "twice.gold", "twice")
	if file := FiguresTable.CSV(body); !strings.Contains(string(file), ",twice\n") {
		t.Errorf("CSV has no such figure: %s", file)
	}
	if data, err := json.Marshal(CommandReport(body, [][]float64{{0}})); err != nil || strings.Count(string(data), `"of":{"twice":2}`) != 3 {
		t.Errorf("the JSON of the command has no such figure: %s, %v", data, err)
	}
}
