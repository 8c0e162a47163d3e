package study_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/runs"
	"berth/engine/scenario"
	"berth/engine/study"
)

const keptResult = `{"engine": "0.1.0", "kind": "toy", "results": "0", "subjects": ["a", "b"], "metrics": {"mean": [1, null]}}`

func TestWhatIsWrongWithAKeptResult(t *testing.T) {
	for text, want := range map[string]string{
		keptResult: "",
		`{"engine": "0.1.0", "kind": "toy", "error": "it failed"}`: "",
		strings.Replace(keptResult, "[1, null]", "[1]", 1):         "metrics.mean: has 1 entry, expected 2, as there are subjects",
		strings.Replace(keptResult, "null", `"NaN"`, 1):            "metrics.mean[1]: found a string, expected a number",
		strings.Replace(keptResult, `"a", "b"`, "", 1):             "subjects: found none, and no error",
		strings.Replace(keptResult, `"kind"`, `"sort"`, 1):         "kind: missing",
		strings.Replace(keptResult, `"kind"`, `"engine"`, 1):       "engine: given twice",
		keptResult[:40]: "not JSON",
		"":              "the document is empty; expected the result of a run",
	} {
		_, err := study.DecodeResult([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Every result that can be read has a place on a sheet, and the sheet has a report.
func FuzzResult(f *testing.F) {
	f.Add([]byte(keptResult))
	f.Add([]byte(`{"engine": "0.1.0", "kind": "toy", "error": "it failed"}`))
	f.Add([]byte(strings.Replace(keptResult, `"b"`, `"a"`, 1)))
	s := must.Get(scenario.Decode([]byte(document(both, `"seeds": 3`))))(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := study.DecodeResult(text)
		if err != nil {
			return
		}
		plan := must.Get(study.NewPlan(study.Of(s)))(t)
		sheet := plan.NewSheet()
		sheet.Share(1, 3)
		must.Do(t, sheet.Carry(t.Context(), nil, runs.InOrder(func(context.Context, study.Job) (*study.Result, error) { return r, nil }), nil))
		report := sheet.Report()
		report.CSV()
		if _, err := json.Marshal(report); err != nil {
			t.Error(err)
		}
	})
}
