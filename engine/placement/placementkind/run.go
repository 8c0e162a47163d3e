package placementkind

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"berth/engine/dot"
	"berth/engine/figure"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// Run places the deployments with one strategy and seed. A deployment that does not fit is a
// result, not an error. If ctx stops the run with the first seed, the report has the deployments
// placed so far. With another seed, or if nothing was placed, Run returns an error.
func (e *Prepared) Run(ctx context.Context, row scenario.Row, tell func(scenario.Progress), t *scenario.Timings) (scenario.ReportBody, error) {
	if row.Subject+row.Seed == 0 {
		e.ran, e.asked = nil, question{}
	}
	report, s := e.newReport(), e.document.Strategies[row.Subject]
	work := jobCounter{prepared: e, heard: tell, total: int64(jobsIn(e.world.deployments))}
	if e.jointly() {
		work.total *= 2
	}
	r, err := e.once(ctx, s, e.document.Seed+uint64(row.Seed), &work)
	if err != nil && !r.stopped {
		return nil, err
	}
	report.cancelled = err != nil
	report.Strategies = []StrategyReport{e.strategyReport(s.Title(), r)}
	if row.Seed == 0 {
		e.ran = append(e.ran, r)
		t.Placing = [][]float64{r.milliseconds}
		e.detail(ctx, report, row.Subject, r)
	}
	return report, nil
}

// detail adds the parts of a report that exist only for the first seed.
func (e *Prepared) detail(ctx context.Context, report *Report, place int, r run) {
	d, strategy := e.document, &report.Strategies[0]
	strategy.affinity = func() figure.Number { return e.meanAffinity(place) }
	if slices.ContainsFunc(e.world.federation.Members, func(m format.Member) bool { return m.Manifest }) {
		strategy.Clusters = e.world.states(r)
		if e.world.nodes != nil {
			for i, would := range e.world.would(r) {
				strategy.Deployments[i].Would = would
			}
		}
	}
	if e.before != nil {
		old, now := e.in(e.before).strategyReport(strategy.Strategy, *r.before), *strategy
		old.Clusters, now.Clusters = e.before.states(*r.before), e.world.states(r)
		now.WhatIf = &Difference{Changes: d.WhatIf, Kept: d.Keep}
		strategy.WhatIf = now.Against(&old)
	}
	if !report.cancelled {
		strategy.Front, report.cancelled = e.front(ctx, d.Strategies[place])
	}
}

// gather keeps the first seed of each strategy and adds a summary of all seeds.
var gather = scenario.Bodies[Report, StrategyReport]{
	List: func(r *Report) *[]StrategyReport { return &r.Strategies },
	Over: func(r *Report, first *StrategyReport, all []StrategyReport, _ int) {
		if first.Seeds = len(all); len(all) > 1 {
			r.summarise(first, all)
		}
	},
	Ends: func(r *Report) { r.cancelled = true },
}

// Gathered implements [scenario.Work]: later questions are about this report.
func (e *Prepared) Gathered(body scenario.ReportBody) { e.report = body.(*Report) }

// run is the result of one strategy with one seed, by deployment.
type run struct {
	solutions    []placement.Solution
	milliseconds []float64
	capacity     *placement.Capacity  // remaining capacity
	before       *run                 // the run before a what-if
	joint        *placement.Solution  // solution of the joint placement; nil if there is none
	union        *graph.Deployment    // union of all deployments
	together     float64              // duration of the joint placement in ms
	inOrder      []placement.Solution // solutions before divide replaced them
	plans        map[int]*Plan        // by number of an unplaced deployment
	stopped      bool                 // the context stopped the run
}

// runWith runs a strategy with one seed, before and after a what-if.
func (e *Prepared) runWith(ctx context.Context, s StrategyRun, seed uint64, work *jobCounter) (r run, err error) {
	strategy := s.Title()
	chosen, err := s.Strategy()
	if err != nil {
		return run{}, err
	}
	chosen = placement.Whole{Strategy: chosen}
	always := func(int) placement.Strategy { return chosen }
	if e.before == nil {
		return e.runOnce(ctx, strategy, always, seed, work)
	}
	old, err := e.in(e.before).runOnce(ctx, strategy, always, seed, &jobCounter{prepared: e, quiet: true})
	if err != nil {
		return run{}, err
	}
	r, err = e.runOnce(ctx, strategy, func(i int) placement.Strategy {
		if s := old.solutions[i]; e.document.Keep && s.Complete() {
			return placement.Keep{Was: was(e.before, e.world, s)}
		}
		return chosen
	}, seed, work)
	r.before = &old
	return r, err
}

// runOnce places the deployments one after the other, each on the capacity that the earlier ones
// left, and on request also jointly. A deployment that does not fit takes no capacity.
func (e *Prepared) runOnce(ctx context.Context, strategy string, chosen func(deployment int) placement.Strategy, seed uint64, work *jobCounter) (run, error) {
	capacity := e.capacity()
	r := run{capacity: capacity, plans: map[int]*Plan{}}
	if e.jointly() {
		err := e.placeJointly(ctx, chosen(0), seed, work, &r)
		if _, wrong := errors.AsType[*scenario.InputError](err); wrong {
			return run{}, err
		}
		if err != nil {
			return run{}, fmt.Errorf("cancelled while placing all deployments with %s: %w", strategy, err)
		}
		quiet := work.quiet
		work.quiet = true // the reported placements are the joint ones
		defer func() { work.quiet = quiet }()
	}
	for i, d := range e.world.deployments {
		problem := e.problem(i, capacity)
		if i == 0 {
			problem = e.alone(i)
		}
		work.standing(r.solutions)
		s, milliseconds, err := e.solve(ctx, chosen(i), problem, seed, work)
		if _, failed := s.Reason.(placement.Failed); failed {
			return r, err
		}
		if err != nil {
			if seed == e.document.Seed && !e.document.Joint && e.before == nil {
				r.stop(s.Until, milliseconds, problem, len(e.world.deployments)-i)
			}
			return r, fmt.Errorf("cancelled while placing %s with %s: %w", d.Name, strategy, err)
		}
		capacity.Commit(problem, s)
		if !s.Complete() && !e.document.Joint && seed == e.document.Seed {
			r.plans[i] = e.plan(ctx, &r, i, seed)
		}
		r.add(s, milliseconds)
		work.add(d.Jobs().Len())
	}
	if e.document.Joint {
		e.divide(ctx, &r)
	}
	return r, nil
}

// forget drops the parts of a run with a further seed that only the page of the first seed shows. It
// keeps incomplete placements: the tally counts their jobs.
func (r *run) forget() {
	r.capacity, r.before = nil, nil
	for i := range r.solutions {
		if s := &r.solutions[i]; s.Complete() {
			s.Order, s.Cluster = nil, nil
		}
	}
}

// capacity returns a copy of the full capacity of the world. It is computed once, because this
// processes all links.
func (e *Prepared) capacity() *placement.Capacity {
	w := e.world
	if w.whole == nil {
		o := placement.CapacityOptions{ConsumeBandwidth: e.document.ConsumeBandwidth, Rules: e.rules, MaxMoves: e.document.MaxMoves}
		if w.nodes != nil {
			o.Nodes = w.nodes
		}
		w.whole = placement.NewCapacity(w.federation.Federation, o)
	}
	return w.whole.Clone()
}

func (r *run) add(s placement.Solution, milliseconds float64) {
	r.solutions = append(r.solutions, s)
	r.milliseconds = append(r.milliseconds, milliseconds)
}

// stop records a stopped run: the best placement so far of the current deployment, if there is one,
// and the remaining deployments as not tried. left counts the remaining deployments, including the
// current one.
func (r *run) stop(until *placement.Solution, milliseconds float64, p *placement.Problem, left int) {
	if until != nil && until.Complete() {
		p.Certify(context.Background(), until) // a placement exists, so only the bound is needed
		r.capacity.Commit(p, *until)
		r.add(*until, milliseconds)
		left--
	}
	r.stopped = len(r.solutions) > 0
	for range left {
		r.add(placement.Solution{Status: placement.Cancelled, Reason: unbegun{}, Certificate: &placement.Certificate{}}, 0)
	}
}

// solve runs a strategy and certifies its solution. The returned time (in ms) excludes the
// certificate.
func (e *Prepared) solve(ctx context.Context, by placement.Strategy, p *placement.Problem, seed uint64, work *jobCounter) (placement.Solution, float64, error) {
	options := e.options(seed)
	options.Progress, options.Reached = work.tell, work.reached
	if e.within > 0 && e.env.Now != nil {
		begun := e.env.Now()
		options.Enough = func() bool { return e.env.Now()-begun >= e.within }
	}
	options.Paused = work.paused
	var again func()
	if options.Enough == nil && !options.Paused.Begun() { // a resumed search is not repeatable
		alone := options
		alone.Progress, alone.Reached, alone.Paused = nil, nil, nil
		again = func() { by.Place(ctx, p, alone) }
	}
	code := by
	if whole, ok := by.(placement.Whole); ok {
		code = whole.Strategy
	}
	var s placement.Solution
	milliseconds := e.env.Time(ctx, fmt.Sprintf("%T", code), func() { s = by.Place(ctx, p, options) }, again)
	if failed, ok := s.Reason.(placement.Failed); ok {
		return s, milliseconds, scenario.Wrong(Name+".strategies", failed.Cause)
	}
	if err := ctx.Err(); err != nil {
		return s, milliseconds, err
	}
	p.Certify(ctx, &s)
	return s, milliseconds, ctx.Err()
}

// problem returns the problem of placing one deployment on the remaining capacity.
func (e *Prepared) problem(deployment int, capacity *placement.Capacity) *placement.Problem {
	p := placement.NewProblem(e.world.deployments[deployment].Deployment, capacity)
	if e.gap != nil {
		p.Generalize(e.gap)
	}
	return p
}

// alone returns the problem of placing one deployment on the full capacity. All runs and questions
// on these graphs share it, so it is compiled once.
func (e *Prepared) alone(deployment int) *placement.Problem {
	p := e.world.compiled[deployment]
	if p == nil {
		p = e.problem(deployment, e.capacity())
		e.world.compiled[deployment] = p
	}
	return p
}

// in returns the prepared document with another world in the place of its own.
func (e *Prepared) in(w *world) *Prepared {
	x := *e
	x.world = w
	return &x
}

// Within sets a time limit in milliseconds for each search of a strategy that improves.
func (e *Prepared) Within(milliseconds float64) { e.within = milliseconds }

// Reproduced lists, for each search of a strategy that improves, the number of steps that
// reproduces its placement.
func (r *Report) Reproduced() (lines []string) {
	for _, s := range r.Strategies {
		for _, d := range s.Deployments {
			if d.Steps > 0 {
				lines = append(lines, fmt.Sprintf("%s, %s: --steps %d gives the same result", s.Strategy, d.Name, d.Steps))
			}
		}
	}
	return lines
}

func (e *Prepared) options(seed uint64) placement.Options {
	return placement.Options{Seed: seed, Phi: e.document.phi(), Budget: e.document.Budget, Steps: e.document.Steps}
}

func (d *Document) phi() float64 { return ParameterNamed("phi").Value(d) }

// jobsIn counts jobs. In a union, the jobs of a deployment follow the jobs of the earlier deployments.
func jobsIn(deployments []format.Deployment) (jobs int) {
	for _, d := range deployments {
		jobs += d.Jobs().Len()
	}
	return jobs
}

// jointly reports whether several deployments are placed jointly.
func (e *Prepared) jointly() bool { return e.document.Joint && len(e.world.deployments) > 1 }

// jobCounter counts the processed jobs of a run and reports progress.
type jobCounter struct {
	prepared    *Prepared
	done, total int64
	heard       func(scenario.Progress) // nil if progress is not reported
	stand       []placement.Solution    // solutions of the deployments before the current one
	interim     scenario.Interim
	paused      *placement.Paused // the search to resume; nil for none
	quiet       bool              // does not report interim placements, because the report will differ from them
}

// standing starts the next deployment. s has the solutions of the earlier ones.
func (p *jobCounter) standing(s []placement.Solution) {
	if !p.quiet {
		p.stand, p.interim = s, nil
	}
}

// reached records the best placement so far of the current deployment.
func (p *jobCounter) reached(i placement.Improvement, cluster []int32) {
	if p.quiet {
		return
	}
	p.interim = func() any { return p.prepared.reached(p.stand, i, cluster) }
}

func (p *jobCounter) add(jobs int) {
	p.done += int64(jobs)
	p.tell(0, 0, 0)
}

func (p *jobCounter) tell(placed, _ int, _ int64) {
	if p.heard == nil {
		return
	}
	done, total := p.done+int64(placed), p.total
	p.heard(scenario.Progress{
		Phase: "placing", Fraction: float64(done) / float64(max(1, total)), Done: done, Total: total, Unit: "jobs", Interim: p.interim,
	})
}

func (e *Prepared) newReport() *Report {
	f := e.world.federation
	if e.before != nil {
		f = e.before.federation
	}
	center := ""
	if c := f.Center(); c >= 0 {
		center = f.Clusters().ID(c)
	}
	r := &Report{Federation: FederationSummary{
		Name:     path.Base(e.document.Federation.name(dot.Federation)),
		Clusters: f.Clusters().Len(), Links: f.Links().Len(), Center: center, Unpriced: e.world.unpriced(),
	}, Deployments: []DeploymentSummary{}}
	for _, d := range e.world.deployments {
		r.Deployments = append(r.Deployments, DeploymentSummary{
			Name: d.Name, Jobs: d.Jobs().Len(), Dependencies: d.Dependencies().Len(), Units: units(d.Deployment),
			Unhonoured: d.Unhonoured,
		})
	}
	return r
}
