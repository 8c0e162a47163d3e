package scenario

import (
	"context"
	"fmt"

	"berth/engine/diag"
)

// Prepared is a scenario whose inputs were read, and after Run with its result.
// It is not safe for concurrent use.
type Prepared struct {
	scenario Scenario
	env      Env
	work     Work
	reading  float64 // ms
}

// Prepare reads or generates the inputs of a scenario. Its error is an
// *[InputError] with all that is wrong with them, or that of ctx.
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

// Hash is that of the scenario, with the digests of texts that were files next to it.
func (e *Prepared) Hash() string { return e.scenario.Hash() }

// WorkOf returns the work of a scenario as that of its kind.
func WorkOf[W Work](e *Prepared) (W, error) {
	w, ok := e.work.(W)
	if !ok {
		return w, fmt.Errorf("a scenario of kind %q has no answer to that", e.scenario.Kind)
	}
	return w, nil
}

// Arrays returns what is too long for the report, as bytes by name; it belongs
// to the body of the kind.
func (e *Prepared) Arrays() map[string][]byte {
	if w, ok := e.work.(interface{ Arrays() map[string][]byte }); ok {
		return w.Arrays()
	}
	return nil
}

// Run prepares a scenario and runs it.
func Run(ctx context.Context, s Scenario, env Env) (*Report, error) {
	e, err := Prepare(ctx, s, env)
	if err != nil {
		return nil, err
	}
	return e.Run(ctx)
}

// Run carries the scenario out. What ctx stops is an error, or a report that is
// marked as partial.
func (e *Prepared) Run(ctx context.Context) (*Report, error) {
	timings := Timings{Reading: e.reading}
	*e.env.repeated = 0
	start := e.env.Clock()
	body, err := e.work.Run(ctx, &timings)
	if err != nil {
		return nil, err
	}
	r := newReport(e.scenario)
	r.Scenario = e.Hash()
	if w, ok := e.work.(interface{ Diagnostics() diag.List }); ok {
		r.Diagnostics = append(r.Diagnostics, w.Diagnostics()...)
	}
	if err := r.conclude(body); err != nil {
		return nil, err
	}
	if e.env.Now != nil {
		timings.Total = e.reading + e.env.Clock() - start - *e.env.repeated
		r.Timings = &timings
	}
	return r, nil
}
