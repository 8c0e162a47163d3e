package qoskind

import (
	"context"

	"berth/engine/qos"
	"berth/engine/scenario"
)

// Run implements [scenario.Work]. It simulates one policy with one seed. If ctx ends, the report
// has the results so far.
func (e *Prepared) Run(ctx context.Context, row scenario.Row, tell func(scenario.Progress), t *scenario.Timings) (scenario.ReportBody, error) {
	seed := row.Seed
	if row.Subject+seed == 0 {
		e.result = nil
		clear(e.lines)
	}
	run := &e.document.Policies[row.Subject]
	config, err := run.carriedOut(e.config)
	if err != nil {
		return nil, problem(".policies", err)
	}
	config.Seed = e.document.Seed + uint64(seed)
	if seed > 0 {
		config.PointEvery, config.FairnessEvery = 0, 0 // only the first run has charts
	}
	alone := config
	config.Progress = func(p qos.Progress) {
		tell(scenario.Progress{
			Phase: "running", Fraction: p.Fraction(), Done: int64(p.Requests), Total: int64(p.RequestsInAll), Unit: "requests",
			Time: seconds(p.Now - p.Start), Events: p.Events,
		})
	}
	var result *qos.Result
	var list *requestList
	var line *Timeline
	switch {
	case seed > 0:
	case e.Requests != nil:
		list = &requestList{policy: run.PolicyName(), to: e.Requests, hosts: e.everyHost()}
	default:
		line, _ = e.follow(&config) // a large run has no timeline
	}
	took := e.env.Time(ctx, run.PolicyName(), func() { result, err = e.runOnce(ctx, config, list) },
		func() { e.runOnce(ctx, alone, nil) })
	if err != nil {
		return nil, err
	}
	if seed == 0 {
		e.result = append(e.result, result)
	}
	if line != nil && !result.Partial {
		e.keepLine(row.Subject, line, result)
	}
	p := PolicyReport{Title: run.Title(), Name: run.PolicyName(), Run: *result.Report()}
	p.Run.Seed = config.Seed
	e.remark(&p)
	r := e.report
	r.Policies = []PolicyReport{p}
	t.Running = [][]float64{{took}}
	return &r, nil
}

// Gathered implements [scenario.Work]. It adds the comparison, request by request, of policies that
// ran in this process.
func (e *Prepared) Gathered(body scenario.ReportBody) {
	r := body.(*Report)
	r.paired = newPaired(r, e.result)
}

// runOnce simulates one policy with one seed. If list is not nil, it collects the requests and
// writes them.
func (e *Prepared) runOnce(ctx context.Context, config qos.Config, list *requestList) (*qos.Result, error) {
	source, err := e.requests(ctx)
	if err != nil {
		return nil, problem(".workload", err)
	}
	input := e.input
	input.Requests = source
	if list != nil {
		list.listen(&config)
	}
	result, err := qos.Run(ctx, input, config)
	if err != nil {
		return nil, problem(".policies", err)
	}
	if list != nil {
		return result, list.write()
	}
	return result, nil
}
