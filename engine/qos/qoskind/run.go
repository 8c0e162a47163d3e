package qoskind

import (
	"context"

	"berth/engine/qos"
	"berth/engine/scenario"
)

// Run simulates every policy with every seed. When ctx ends it returns its results so
// far, marked as partial: up to the run under way. Its times are by policy and seed.
func (e *Prepared) Run(ctx context.Context, t *scenario.Timings) (scenario.ReportBody, error) {
	r := e.report
	r.Policies = []PolicyReport{}
	e.result = nil
	steps := e.newSteps()
	for i := range e.document.Policies {
		p, took, err := e.runPolicy(ctx, &e.document.Policies[i], steps)
		if err != nil {
			return nil, err
		}
		e.remark(p)
		r.Policies = append(r.Policies, *p)
		t.Running = append(t.Running, took)
		if p.Run.Partial {
			break
		}
	}
	r.paired = newPaired(&r, e.result)
	return &r, nil
}

// runPolicy simulates one policy with all seeds.
func (e *Prepared) runPolicy(ctx context.Context, policy *PolicyRun, steps *steps) (*PolicyReport, []float64, error) {
	p := &PolicyReport{Title: policy.Title(), Name: policy.Name}
	config, err := policy.carriedOut(e.config)
	if err != nil {
		return nil, nil, e.problem(".policies", err)
	}
	var runs []Run
	var took []float64
	for k := range e.document.seeds() {
		config.Seed = e.document.Seed + uint64(k)
		config.Progress = steps.tell
		if k > 0 {
			config.PointEvery, config.FairnessEvery = 0, 0 // only the first run is drawn
		}
		var result *qos.Result
		alone := config
		alone.Progress = nil
		took = append(took, e.env.Time(ctx, policy.Name, func() { result, err = e.runOnce(ctx, config, e.listing(k, policy.Name)) },
			func() { e.runOnce(ctx, alone, nil) }))
		if err != nil {
			return nil, nil, err
		}
		steps.done++
		run := newRun(result, config.Seed)
		if k == 0 {
			e.result = append(e.result, result)
			p.Run = run
		}
		if result.Partial {
			p.Run.Partial = true
			break
		}
		runs = append(runs, run)
	}
	p.Seeds = newSeedReport(runs)
	return p, took, nil
}

// listing returns the list of requests to fill in a run, nil if there is none.
func (e *Prepared) listing(seed int, policy string) *requestList {
	if e.Requests == nil || seed > 0 {
		return nil
	}
	return &requestList{policy: policy, to: e.Requests}
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

func (d *Document) seeds() int { return max(1, d.Seeds) }

// steps tells the progress over all runs.
type steps struct {
	env       *scenario.Env
	done, all int
}

func (e *Prepared) newSteps() *steps {
	return &steps{env: &e.env, all: len(e.document.Policies) * e.document.seeds()}
}

func (s *steps) tell(p qos.Progress) {
	s.env.Tell(scenario.Progress{
		Phase: "running", Fraction: (float64(s.done) + p.Fraction()) / float64(s.all),
		Done: int64(p.Requests), Total: int64(p.RequestsInAll), Unit: "requests",
		Time: seconds(p.Now - p.Start), Events: p.Events,
	})
}
