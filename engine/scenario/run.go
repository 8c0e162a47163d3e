package scenario

import (
	"context"
	"fmt"
	"path"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/placement"
)

// Run prepares a scenario and runs it.
func Run(ctx context.Context, s Scenario, env Env) (*Report, error) {
	e, err := Prepare(ctx, s, env)
	if err != nil {
		return nil, err
	}
	return e.Run(ctx)
}

// Run carries the scenario out. A placement fails only when ctx ends: a
// deployment that does not fit is a result. A simulation that ctx stops gives a
// report that is marked as partial.
func (e *Experiment) Run(ctx context.Context) (*Report, error) {
	start := e.now()
	report := e.newReport()
	var body any
	var err error
	switch {
	case e.qos != nil:
		report.QoS, e.timings.Running, err = e.qos.Run(ctx)
		body = report.QoS
	case e.federate != nil:
		report.Federate, e.timings.Running, err = e.federate.Run(ctx)
		body = report.Federate
	default:
		report.Placement, err = e.place(ctx)
		body = report.Placement
	}
	if err != nil {
		return nil, err
	}
	report.conclude(body)
	if e.env.Now != nil {
		e.timings.Total = e.timings.Reading + e.now() - start
		report.Timings = &e.timings
	}
	e.report = report
	return report, nil
}

// conclude puts into the report what its body says of itself, and its hash.
func (r *Report) conclude(body any) {
	if s, ok := body.(interface {
		Remarks() (notes, warnings []string)
		Partial() bool
	}); ok {
		r.Notes, r.Warnings = s.Remarks()
		r.Partial = r.Partial || s.Partial()
	}
	r.Results = hash(indented(body))
}

// place places the deployments with every strategy and seed.
func (e *Experiment) place(ctx context.Context) (*PlacementReport, error) {
	p := e.scenario.Placement
	report := e.newPlacementReport()
	e.solutions, e.timings.Placing, e.asked = nil, nil, question{}
	work := progress{experiment: e, total: e.jobs()}
	for _, s := range p.Strategies {
		work.runs += int64(max(1, s.Seeds))
	}
	for _, s := range p.Strategies {
		runs := make([]run, max(1, s.Seeds))
		for k := range runs {
			r, err := e.runOnce(ctx, s.Name, p.Seed+uint64(k), &work)
			if err != nil {
				return nil, err
			}
			runs[k] = r
		}
		e.solutions = append(e.solutions, runs[0].solutions)
		e.timings.Placing = append(e.timings.Placing, runs[0].milliseconds)
		report.Strategies = append(report.Strategies, e.strategyReport(s.Name, runs))
	}
	return report, nil
}

// run is what one strategy did with one seed, by deployment.
type run struct {
	solutions    []placement.Solution
	milliseconds []float64
}

// runOnce places the deployments one after the other, each on what the ones
// before it left. One that does not fit takes nothing.
func (e *Experiment) runOnce(ctx context.Context, strategy string, seed uint64, work *progress) (run, error) {
	chosen, ok := placement.Lookup(strategy)
	if !ok {
		return run{}, fmt.Errorf("unknown strategy %q", strategy)
	}
	var r run
	capacity := e.capacity()
	for _, d := range e.deployments {
		problem := placement.NewProblem(d.Deployment, capacity)
		options := e.options(seed)
		options.Progress = work.tell
		before := e.now()
		s := chosen.Place(ctx, problem, options)
		r.milliseconds = append(r.milliseconds, e.now()-before)
		if err := ctx.Err(); err != nil {
			return run{}, fmt.Errorf("cancelled while placing %s with %s: %w", d.Name, strategy, err)
		}
		problem.Commit(s)
		if seed != e.scenario.Placement.Seed {
			s.Order, s.Cluster = nil, nil // only the first run is shown
		}
		r.solutions = append(r.solutions, s)
		work.add(d.Jobs().Len())
	}
	return r, nil
}

func (e *Experiment) capacity() *placement.Capacity {
	return placement.NewCapacity(e.federation, placement.CapacityOptions{
		ConsumeBandwidth: e.scenario.Placement.ConsumeBandwidth,
	})
}

func (e *Experiment) options(seed uint64) placement.Options {
	o := placement.Options{Seed: seed, Phi: e.phi(), Budget: e.scenario.Placement.Budget}
	if o.Budget == 0 {
		o.Budget = placement.DefaultBudget
	}
	return o
}

func (e *Experiment) phi() float64 {
	if phi := e.scenario.Placement.Phi; phi != nil {
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
	p.experiment.tell(Progress{
		Phase: "placing", Fraction: float64(done) / float64(max(1, total)), Done: done, Total: total, Unit: "jobs",
	})
}

func (e *Experiment) newReport() *Report {
	return &Report{
		Version: Version, Engine: Engine, Kind: e.scenario.Kind, Name: e.scenario.Name, Scenario: e.Hash(),
		Notes: lines(e.diagnostics.Notes()), Warnings: lines(e.diagnostics.Warnings()),
		Diagnostics: append(diag.List{}, e.diagnostics...),
	}
}

func (e *Experiment) newPlacementReport() *PlacementReport {
	f := e.federation
	center := ""
	if c := f.Center(); c >= 0 {
		center = f.Clusters().ID(c)
	}
	r := &PlacementReport{Federation: FederationSummary{
		Name:     path.Base(e.scenario.Placement.Federation.name(dot.Federation)),
		Clusters: f.Clusters().Len(), Links: f.Links().Len(), Center: center,
	}}
	for _, d := range e.deployments {
		r.Deployments = append(r.Deployments, DeploymentSummary{
			Name: d.Name, Jobs: d.Jobs().Len(), Dependencies: d.Dependencies().Len(), Units: units(d.Deployment),
		})
	}
	return r
}

// lines never returns nil: the arrays of a report are arrays.
func lines(diagnostics diag.List) []string {
	all := make([]string, len(diagnostics))
	for i, d := range diagnostics {
		all[i] = d.String()
	}
	return all
}
