package federatekind

import (
	"context"

	"berth/engine/federate"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/workload"
)

// Run simulates every part of the document. When ctx ends it returns its results so far,
// marked as partial: up to the run under way. Its times are by scheduler and then by
// point and seed.
func (e *Prepared) Run(ctx context.Context, t *scenario.Timings) (scenario.ReportBody, error) {
	if ctx.Err() != nil { // before anything: only what there is to do is known
		report, err := e.Survey()
		if err != nil {
			return nil, err
		}
		report.Cancelled = true
		return report, nil
	}
	reports := make([]*Report, len(e.parts))
	t.Running = make([][]float64, len(e.document.Schedulers))
	for i := range e.parts {
		if ctx.Err() != nil {
			break
		}
		r, milliseconds, err := e.runPart(ctx, i)
		if err != nil {
			return nil, err
		}
		s := i % len(t.Running)
		reports[i], t.Running[s] = r, append(t.Running[s], milliseconds)
	}
	return e.document.join(reports)
}

// runPart simulates one part and says how long that took.
func (e *Prepared) runPart(ctx context.Context, i int) (r *Report, milliseconds float64, err error) {
	d := e.parts[i]
	load, config, err := e.part(d)
	if err != nil {
		return nil, 0, err
	}
	scheduler := d.Schedulers[0]
	var result *federate.Result
	milliseconds = e.env.Time(ctx, scheduler, func() {
		result, err = federate.Run(ctx, scheduler, config, load, federate.Options{
			Progress: func(p federate.Progress) { e.tell(i, p) },
		})
	}, func() { federate.Run(ctx, scheduler, config, load, federate.Options{}) })
	if result == nil {
		return nil, 0, e.wrong(err)
	}
	r = &Report{Schedulers: []SchedulerReport{newSchedulerReport(result, load)}, Cancelled: result.Partial, Warnings: e.warnings}
	if i == 0 { // the only one that is told of
		r.Workload = e.workload(load)
	}
	return r, milliseconds, nil
}

// Survey tells what there is to do without running any of it, and which tasks
// can never run; the report has no schedulers.
func (e *Prepared) Survey() (*Report, error) {
	load, err := e.loadFor(e.parts[0])
	if err != nil {
		return nil, err
	}
	return &Report{Workload: e.workload(load), Schedulers: []SchedulerReport{}, Warnings: e.warnings}, nil
}

// part returns the workload and the configuration of a part.
func (e *Prepared) part(d *Document) (*workload.Tasks, federate.Config, error) {
	load, err := e.loadFor(d)
	if err != nil {
		return nil, federate.Config{}, err
	}
	config, err := d.configure(load)
	if err != nil {
		return nil, config, e.wrong(err)
	}
	return load, config, nil
}

func (e *Prepared) tell(part int, p federate.Progress) {
	e.env.Tell(scenario.Progress{
		Phase: "running", Fraction: (float64(part) + p.Fraction()) / float64(len(e.parts)),
		Done: int64(p.Requests), Total: int64(p.RequestsInAll), Unit: "tasks",
		Time: secondsOf(p.Now), Events: p.Events,
	})
}

// workload describes a workload.
func (e *Prepared) workload(load *workload.Tasks) Workload {
	w := Workload{
		Name: e.document.Trace.Name, SHA256: e.digest, Jobs: len(load.Jobs), Tasks: len(load.Durations),
		Users: append([]string{}, load.Users...), Resources: load.Resources,
		Demand: demandOf(load), Capacity: []float64{},
	}
	config := e.parts[0].config(load.Resources)
	for _, units := range config.Capacity {
		w.Capacity = append(w.Capacity, units.Units()*float64(config.Workers))
	}
	if n := len(load.Jobs); n > 0 {
		w.LastArrival = secondsOf(load.Jobs[n-1].Arrival - load.Jobs[0].Arrival)
	}
	if w.Name == "" {
		w.Name = show.Count(w.Jobs, "job")
	}
	return w
}
