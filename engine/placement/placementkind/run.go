package placementkind

import (
	"context"
	"fmt"
	"path"

	"berth/engine/dot"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// Run places the deployments with every strategy and seed; a deployment that does
// not fit is a result. When ctx ends it keeps the runs that it has come to their
// end with, and fails if there is none.
func (e *Experiment) Run(ctx context.Context, t *scenario.Timings) (scenario.ReportBody, error) {
	d := e.document
	report := e.newReport()
	e.solutions, e.asked = nil, question{}
	work := progress{experiment: e, total: e.jobs()}
	for _, s := range d.Strategies {
		work.runs += int64(max(1, s.Seeds))
	}
	for _, s := range d.Strategies {
		var runs []run
		var err error
		for k := 0; err == nil && k < max(1, s.Seeds); k++ {
			var r run
			if r, err = e.once(ctx, s, d.Seed+uint64(k), &work); err == nil {
				runs = append(runs, r)
			}
		}
		if report.Cancelled = err != nil; len(runs) == 0 {
			if len(report.Strategies) == 0 {
				return nil, err
			}
			break
		}
		e.solutions = append(e.solutions, runs[0].solutions)
		t.Placing = append(t.Placing, runs[0].milliseconds)
		strategy := e.strategyReport(s.Name, runs)
		strategy.Clusters = e.states(runs[0])
		if e.before != nil {
			strategy.WhatIf = difference(d, e.before, e.world, runs[0].before.run, runs[0])
		}
		report.Strategies = append(report.Strategies, strategy)
		if report.Cancelled {
			break
		}
	}
	e.report = report
	return report, nil
}

// run is what one strategy did with one seed, by deployment.
type run struct {
	solutions    []placement.Solution
	milliseconds []float64
	capacity     *placement.Capacity // that is left
	before       *before             // of a what-if
}

// before is the run before a what-if.
type before struct{ run }

// runWith runs a named strategy, before a what-if and after it.
func (e *Experiment) runWith(ctx context.Context, strategy string, seed uint64, work *progress) (run, error) {
	chosen, err := placement.Named(strategy, nil)
	if err != nil {
		return run{}, err
	}
	always := func(int) placement.Strategy { return chosen }
	if e.before == nil {
		return e.runOnce(ctx, e.world, strategy, always, seed, work)
	}
	old, err := e.runOnce(ctx, e.before, strategy, always, seed, &progress{experiment: e, total: 1, runs: 1})
	if err != nil {
		return run{}, err
	}
	r, err := e.runOnce(ctx, e.world, strategy, func(i int) placement.Strategy {
		if s := old.solutions[i]; e.document.Keep && s.Status == placement.Placed {
			return placement.Keep{Was: was(e.before, e.world, s)}
		}
		return chosen
	}, seed, work)
	r.before = &before{old}
	return r, err
}

// runOnce places the deployments one after the other, each on what the ones
// before it left. One that does not fit takes nothing.
func (e *Experiment) runOnce(ctx context.Context, w *world, strategy string, chosen func(deployment int) placement.Strategy, seed uint64, work *progress) (run, error) {
	capacity := w.capacity(e.document)
	r := run{capacity: capacity}
	for i, d := range w.deployments {
		problem := placement.NewProblem(d.Deployment, capacity)
		options := e.options(seed)
		options.Progress = work.tell
		before := e.env.Clock()
		s := chosen(i).Place(ctx, problem, options)
		r.milliseconds = append(r.milliseconds, e.env.Clock()-before)
		if err := ctx.Err(); err != nil {
			return run{}, fmt.Errorf("cancelled while placing %s with %s: %w", d.Name, strategy, err)
		}
		problem.Commit(s)
		if seed != e.document.Seed {
			s.Order, s.Cluster = nil, nil // only the first run is shown
		}
		r.solutions = append(r.solutions, s)
		work.add(d.Jobs().Len())
	}
	return r, nil
}

func (w *world) capacity(d *Document) *placement.Capacity {
	o := placement.CapacityOptions{ConsumeBandwidth: d.ConsumeBandwidth}
	if w.nodes != nil {
		o.Nodes = w.nodes
	}
	return placement.NewCapacity(w.federation.Federation, o)
}

func (e *Experiment) options(seed uint64) placement.Options {
	o := placement.Options{Seed: seed, Phi: e.phi(), Budget: e.document.Budget}
	if o.Budget == 0 {
		o.Budget = placement.DefaultBudget
	}
	return o
}

func (e *Experiment) phi() float64 {
	if phi := e.document.Phi; phi != nil {
		return *phi
	}
	return placement.DefaultPhi
}

func (e *Experiment) jobs() int64 {
	var jobs int64
	for _, d := range e.deployments {
		jobs += int64(d.Jobs().Len())
	}
	return jobs
}

// progress counts the jobs that were dealt with in all runs.
type progress struct {
	experiment  *Experiment
	done, total int64 // total of one run
	runs        int64
}

func (p *progress) add(jobs int) {
	p.done += int64(jobs)
	p.tell(0, 0, 0)
}

func (p *progress) tell(placed, _ int, _ int64) {
	done, total := p.done+int64(placed), p.total*p.runs
	p.experiment.env.Tell(scenario.Progress{
		Phase: "placing", Fraction: float64(done) / float64(max(1, total)), Done: done, Total: total, Unit: "jobs",
	})
}

func (e *Experiment) newReport() *Report {
	f := e.federation
	center := ""
	if c := f.Center(); c >= 0 {
		center = f.Clusters().ID(c)
	}
	r := &Report{Federation: FederationSummary{
		Name:     path.Base(e.document.Federation.name(dot.Federation)),
		Clusters: f.Clusters().Len(), Links: f.Links().Len(), Center: center,
	}}
	for _, d := range e.deployments {
		r.Deployments = append(r.Deployments, DeploymentSummary{
			Name: d.Name, Jobs: d.Jobs().Len(), Dependencies: d.Dependencies().Len(), Units: units(d.Deployment),
		})
	}
	return r
}
