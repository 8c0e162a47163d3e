package scenariotest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

// HasFigure checks that the code that handles all figures of a kind includes the figure with the
// given name and key: estimates over the seeds of a scenario, comparisons of reports, and
// experiments. s must have several seeds; HasFigure returns its report.
func HasFigure(t *testing.T, s scenario.Scenario, name, key string) *scenario.Report {
	t.Helper()
	report := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	if data := regexp.MustCompile(`\s`).ReplaceAllString(string(scenario.EncodeReport(report)), ""); !strings.Contains(data, fmt.Sprintf("%q:{\"n\":2", key)) {
		t.Errorf("the report has no estimate %s over its seeds: %s", key, data)
	}
	read := must.Get(scenario.DecodeReport(scenario.EncodeReport(report)))(t)
	if again := scenario.EncodeReport(read); string(again) != string(scenario.EncodeReport(report)) {
		t.Errorf("a report that is read becomes %s", again)
	}
	d, err := scenario.Compare(report, report)
	if err != nil || !hasMetric(d, name) {
		t.Errorf("a comparison has no %s: %v", name, err)
	}
	one := s
	if v, ok := s.Body.(scenario.Varied); ok {
		one.Body = v.Varies().Base
	}
	many := must.Get(scenario.Run(t.Context(), study.New("", study.Document{Base: one, Metrics: []string{name}, Seeds: 2}), scenario.Env{}))(t)
	if got := many.Body.(*study.Report).Cells[0].Metrics[name]; got.N != 2 {
		t.Errorf("an experiment has %s of %d runs, want 2", name, got.N)
	}
	return report
}

func hasMetric(d *scenario.Difference, name string) bool {
	for _, m := range d.Metrics {
		if m.Metric == name {
			return true
		}
	}
	return false
}
