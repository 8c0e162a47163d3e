package federatekind

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"berth/engine/federate"
	"berth/engine/figure"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/workload"
)

// Run simulates every scheduler with every seed. When ctx ends it returns its results so
// far, marked as partial: up to the run under way. Its times are by scheduler and seed.
func (e *Prepared) Run(ctx context.Context, t *scenario.Timings) (scenario.ReportBody, error) {
	if ctx.Err() != nil { // before anything: only what there is to do is known
		report, err := e.Survey()
		if err != nil {
			return nil, err
		}
		report.Cancelled = true
		return report, nil
	}
	if e.Audit != nil {
		e.Audit.begin(len(e.document.Schedulers))
	}
	rows, err := scenario.RunRows(ctx, e.document, &e.env, t, func(row scenario.Row, tell func(scenario.Progress)) (*Report, float64, error) {
		return e.runRow(ctx, e.document.row(row.Subject, row.Seed), tell)
	})
	if err != nil {
		return nil, err
	}
	return gather(rows, e.document), nil
}

// runRow simulates one scheduler with one seed, and says how long that took.
func (e *Prepared) runRow(ctx context.Context, d *Document, tell func(scenario.Progress)) (r *Report, milliseconds float64, err error) {
	load, config, err := e.inputs(d)
	if err != nil {
		return nil, 0, err
	}
	scheduler := d.Schedulers[0]
	var result *federate.Result
	options := federate.Options{Progress: telling(tell)}
	var seen watch
	if e.Audit != nil {
		seen = newWatch(len(load.Durations))
		options.Trace = seen.note
	}
	milliseconds = e.env.Time(ctx, scheduler, func() {
		result, err = federate.Run(ctx, scheduler, config, load, options)
	}, func() { federate.Run(ctx, scheduler, config, load, federate.Options{}) })
	if result == nil {
		return nil, 0, e.wrong(err)
	}
	if e.Audit != nil {
		e.Audit.tell(result, load, seen, d.cutoff())
	}
	return &Report{Workload: e.workload(load), Schedulers: []SchedulerReport{newSchedulerReport(result, load)}, Warnings: e.warnings}, milliseconds, nil
}

func telling(tell func(scenario.Progress)) func(federate.Progress) {
	return func(p federate.Progress) {
		tell(scenario.Progress{
			Phase: "running", Fraction: p.Fraction(), Done: int64(p.Requests), Total: int64(p.RequestsInAll), Unit: "tasks",
			Time: secondsOf(p.Now), Events: p.Events,
		})
	}
}

// gather has of a scheduler the first seed that there is.
func gather(rows []*Report, d scenario.Divided) *Report {
	_, seeds := d.Each()
	r := scenario.Gather(rows, d, func(r *Report) *[]SchedulerReport { return &r.Schedulers }, func(first *SchedulerReport, all []SchedulerReport) {
		if len(seeds) > 1 {
			first.Summary = summarise(all)
		}
	})
	r.Cancelled = slices.ContainsFunc(rows, func(row *Report) bool { return row == nil || len(row.Schedulers) == 0 || row.Schedulers[0].Partial })
	return r
}

// summarise goes over the seeds of one scheduler.
func summarise(all []SchedulerReport) *Summary {
	var ended []*SchedulerReport
	for i := range all {
		if !all[i].Partial {
			ended = append(ended, &all[i])
		}
	}
	s := &Summary{Runs: len(ended), Metrics: figure.Over(shown(), ended)}
	maps.DeleteFunc(s.Metrics, func(_ string, e figure.Estimate) bool { return e.N < s.Runs })
	return s
}

// Identify puts the digest of the trace into a document whose file it is.
func (r *Report) Identify(d scenario.Document) { d.(*Document).Trace.Identify(r.Workload.SHA256) }

// Survey tells what there is to do without running any of it, and which tasks
// can never run; the report has no schedulers.
func (e *Prepared) Survey() (*Report, error) {
	load, err := e.loadFor(e.document)
	if err != nil {
		return nil, err
	}
	return &Report{Workload: e.workload(load), Schedulers: []SchedulerReport{}, Warnings: e.warnings}, nil
}

// inputs returns the workload and the configuration of a row.
func (e *Prepared) inputs(d *Document) (*workload.Tasks, federate.Config, error) {
	load, err := e.loadFor(d)
	if err != nil {
		return nil, federate.Config{}, err
	}
	config, err := d.configure(load, &e.machines)
	if err != nil {
		return nil, config, e.wrong(err)
	}
	return load, config, nil
}

// workload describes a workload.
func (e *Prepared) workload(load *workload.Tasks) Workload {
	w := Workload{
		Name: e.document.Trace.Name, SHA256: e.digest, Jobs: len(load.Jobs), Tasks: len(load.Durations),
		Users: append([]string{}, load.Users...), Resources: load.Resources,
		Demand: demandOf(load), Capacity: []float64{},
	}
	config, err := e.document.configure(load, &e.machines)
	if err == nil { // else it was told
		for _, all := range federate.NewCenter(&config, load).Total {
			w.Capacity = append(w.Capacity, all.Units())
		}
	}
	if e.document.unlike() {
		w.Workers = config.Workers
	}
	if n := len(load.Jobs); n > 0 {
		w.LastArrival = secondsOf(load.Jobs[n-1].Arrival - load.Jobs[0].Arrival)
	}
	w.Name = cmp.Or(w.Name, show.Count(w.Jobs, "job"))
	return w
}
