package study

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"berth/engine/figure"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Result is the result of a run as stores keep it. It has all metrics of the kind, so
// that experiments with other metrics can use it.
type Result struct {
	Engine   string                     `json:"engine"`
	Kind     string                     `json:"kind"`
	Results  string                     `json:"results,omitempty"` // hash of the report
	Subjects []string                   `json:"subjects,omitempty"`
	Metrics  map[string][]figure.Number `json:"metrics,omitempty"` // by subject
	Error    string                     `json:"error,omitempty"`   // reason why the run failed; "" if it did not
}

// maxError is the maximum length of the error of a failed run, in characters.
const maxError = 1000

// Failed returns the result of a run that failed. It keeps the first maxError characters of the
// error.
func Failed(kind string, err error) *Result {
	return &Result{Engine: scenario.Engine, Kind: kind, Error: show.Cut(err.Error(), maxError)}
}

// DecodeResult reads a stored result, which may come from anywhere; see
// [scenario.DecodeReport].
func DecodeResult(data []byte) (*Result, error) {
	r := &Result{}
	err := scenario.DecodeChecked(data, "the result of a run", r, func(p *scenario.Problems) {
		if r.Error == "" && len(r.Subjects) == 0 {
			p.Add("subjects", noSubjects)
		}
		for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
			p.Fits("metrics."+name, len(r.Metrics[name]), len(r.Subjects), "there are subjects")
		}
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// ResultOf extracts the metrics of a report. If the report has no subjects to measure, it returns
// the result of a failed run.
func ResultOf(r *scenario.Report) *Result {
	kind, known := scenario.Lookup(r.Kind)
	if !known || r.Body == nil || len(r.Body.Subjects()) == 0 {
		return Failed(r.Kind, errors.New("the report has no metrics: expected a scenario with at least one subject and without its own sweep"))
	}
	result := &Result{Engine: scenario.Engine, Kind: r.Kind, Results: r.Results, Subjects: r.Body.Subjects(), Metrics: map[string][]figure.Number{}}
	for i := range result.Subjects {
		subject := r.Body.Subject(i)
		for k := range kind.Figures {
			f := &kind.Figures[k]
			value := f.Of(subject)
			if math.IsInf(float64(value), 0) {
				value = figure.Undefined
			}
			result.Metrics[f.Name] = append(result.Metrics[f.Name], value)
		}
	}
	return result
}

// Execute runs a scenario. If the run fails or panics, the result contains the error. An error
// means that ctx ended.
func Execute(ctx context.Context, s scenario.Scenario, env scenario.Env) (result *Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			result, err = Failed(s.Kind, fmt.Errorf("the run panicked: %v", r)), nil
		}
	}()
	report, err := scenario.Run(ctx, s, env)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return Failed(s.Kind, err), nil
	case report.Partial:
		return Failed(s.Kind, errors.New("the run stopped early")), nil
	}
	return ResultOf(report), nil
}
