package qoskind

import (
	"context"
	"slices"

	"berth/engine/qos"
	"berth/engine/scenario"
)

// Run simulates every policy with every seed. When ctx ends it returns its results so
// far, marked as partial: up to the run under way. Its times are by policy and seed.
func (e *Prepared) Run(ctx context.Context, t *scenario.Timings) (scenario.ReportBody, error) {
	e.result = nil
	rows, err := scenario.RunRows(ctx, e.document, &e.env, t, func(row scenario.Row, tell func(scenario.Progress)) (*Report, float64, error) {
		return e.runRow(ctx, row.Subject, row.Seed, tell)
	})
	if err != nil {
		return nil, err
	}
	r := gather(rows, e.document)
	r.stopped, r.paired = slices.Contains(rows, nil), newPaired(r, e.result)
	return r, nil
}

// runRow simulates one policy with one seed.
func (e *Prepared) runRow(ctx context.Context, policy, seed int, tell func(scenario.Progress)) (*Report, float64, error) {
	run := &e.document.Policies[policy]
	config, err := run.carriedOut(e.config)
	if err != nil {
		return nil, 0, e.problem(".policies", err)
	}
	config.Seed = e.document.Seed + uint64(seed)
	if seed > 0 {
		config.PointEvery, config.FairnessEvery = 0, 0 // only the first run is drawn
	}
	alone := config
	config.Progress = func(p qos.Progress) {
		tell(scenario.Progress{
			Phase: "running", Fraction: p.Fraction(), Done: int64(p.Requests), Total: int64(p.RequestsInAll), Unit: "requests",
			Time: seconds(p.Now - p.Start), Events: p.Events,
		})
	}
	var result *qos.Result
	took := e.env.Time(ctx, run.PolicyName(), func() { result, err = e.runOnce(ctx, config, e.listing(seed, run.PolicyName())) },
		func() { e.runOnce(ctx, alone, nil) })
	if err != nil {
		return nil, 0, err
	}
	if seed == 0 {
		e.result = append(e.result, result)
	}
	p := PolicyReport{Title: run.Title(), Name: run.PolicyName(), Run: *result.Report()}
	p.Run.Seed = config.Seed
	e.remark(&p)
	r := e.report
	r.Policies = []PolicyReport{p}
	return &r, took, nil
}

// listing returns the list of requests to fill in a run, nil if there is none.
func (e *Prepared) listing(seed int, policy string) *requestList {
	if e.Requests == nil || seed > 0 {
		return nil
	}
	return &requestList{policy: policy, to: e.Requests, hosts: e.everyHost()}
}

// runOnce simulates one policy with one seed. List, if it is not nil, is filled
// and written.
func (e *Prepared) runOnce(ctx context.Context, config qos.Config, list *requestList) (*qos.Result, error) {
	source, err := e.requests(ctx)
	if err != nil {
		return nil, e.problem(".workload", err)
	}
	input := e.input
	input.Requests = source
	if list != nil {
		list.listen(&config)
	}
	result, err := qos.Run(ctx, input, config)
	if err != nil {
		return nil, e.problem(".policies", err)
	}
	if list != nil {
		return result, list.write()
	}
	return result, nil
}
