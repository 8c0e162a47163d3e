package scenario

import (
	"context"
	"errors"
	"fmt"

	"berth/engine/diag"
	"berth/engine/runs"
)

// Prepared is a scenario with its inputs and, after Run, with its result. It is not safe
// for concurrent use.
type Prepared struct {
	scenario Scenario
	env      Env
	work     Work
	reading  float64 // duration of reading the inputs, in milliseconds
}

// Prepare reads or generates the inputs of a scenario. Its error is an *[InputError] with
// all errors in them, or the error of ctx.
func Prepare(ctx context.Context, s Scenario, env Env) (*Prepared, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	kind, _ := Lookup(s.Kind)
	env.repeated = new(float64)
	env.Load()
	start := env.Clock()
	work, err := kind.Prepare(ctx, s.Body, env)
	if err != nil {
		return nil, err
	}
	s.Body = work.Document()
	return &Prepared{scenario: s, env: env, work: work, reading: env.Clock() - start}, nil
}

// Hash returns the hash of the scenario, including the digests of the files next to it.
func (e *Prepared) Hash() string { return e.scenario.Hash() }

// WorkOf returns the work of a scenario as the type of its kind.
func WorkOf[W Work](e *Prepared) (W, error) {
	w, ok := e.work.(W)
	if !ok {
		return w, fmt.Errorf("a scenario of kind %q has no answer to that", e.scenario.Kind)
	}
	return w, nil
}

// Arrays returns the arrays that are too long for the report, by name. They belong to the
// kind's body.
func (e *Prepared) Arrays() map[string][]byte {
	if w, ok := e.work.(interface{ Arrays() map[string][]byte }); ok {
		return w.Arrays()
	}
	return nil
}

// Run prepares a scenario and runs it, in one call of [Prepare] and [Prepared.Run].
func Run(ctx context.Context, s Scenario, env Env) (*Report, error) {
	e, err := Prepare(ctx, s, env)
	if err != nil {
		return nil, err
	}
	return e.Run(ctx)
}

// Run runs the rows of the scenario in their order. If ctx ends, it returns an error, or
// a report of the rows so far that is marked as partial.
func (e *Prepared) Run(ctx context.Context) (*Report, error) {
	*e.env.repeated = 0
	start := e.env.Clock()
	r := newReport(e.scenario)
	kind, _ := Lookup(e.scenario.Kind)
	body, err := r.RunRows(ctx, kind, e.work, &e.env)
	if err != nil {
		return nil, err
	}
	r.Scenario = e.Hash()
	if w, ok := e.work.(interface{ Diagnostics() diag.List }); ok {
		r.Diagnostics = append(r.Diagnostics, w.Diagnostics()...)
	}
	if err := r.conclude(body); err != nil {
		return nil, err
	}
	if e.env.Now == nil {
		r.Timings = nil
	} else {
		r.Timings.Reading, r.Timings.Total = e.reading, e.reading+e.env.Clock()-start-*e.env.repeated
	}
	return r, nil
}

// RunRows runs the rows of a work in their order. When ctx ends, it stops after the current row;
// the first row runs even then, and returns a partial result. RunRows records in the report how
// long the rows took, and whether the report is partial.
func (r *Report) RunRows(ctx context.Context, kind *Kind, w Work, env *Env) (ReportBody, error) {
	rows := Rows(w.Document())
	parts, ended := make([]*Report, len(rows)), 0
	e := runs.Executor[Row, Report]{
		Workers: runs.InOrder(func(_ context.Context, row Row) (*Report, error) {
			if ended > 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			t := &Timings{}
			body, err := w.Run(ctx, row, func(p Progress) {
				p.Fraction = (float64(ended) + p.Fraction) / float64(len(rows))
				env.Tell(p)
			}, t)
			if err != nil {
				return nil, err
			}
			return &Report{Body: body, Timings: t, Partial: body.Partial()}, nil
		}),
		Ended: func(_ Row, part *Report, _ bool) { parts[ended], ended = part, ended+1 },
	}
	err := e.Execute(context.WithoutCancel(ctx), rows)
	if err != nil && (ended == 0 || ctx.Err() == nil || isInput(err)) {
		return nil, err
	}
	body := r.gather(kind, rows, parts)
	r.missing = false
	if w, ok := w.(interface{ Gathered(ReportBody) }); ok {
		w.Gathered(body)
	}
	return body, nil
}

func isInput(err error) bool {
	_, is := errors.AsType[*InputError](err)
	return is
}
