package federatekind

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"berth/engine/federate"
	"berth/engine/figure"
	"berth/engine/input/workload"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Run simulates one scheduler with one seed. If ctx stops it, it returns the results so far, marked
// as partial.
func (e *Prepared) Run(ctx context.Context, row scenario.Row, tell func(scenario.Progress), t *scenario.Timings) (scenario.ReportBody, error) {
	if ctx.Err() != nil { // stopped before the start: only the workload is known
		report, err := e.Survey()
		if err != nil {
			return nil, err
		}
		report.Cancelled = true
		return report, nil
	}
	s, err := e.simulation(row.Subject, row.Seed)
	if err != nil {
		return nil, err
	}
	var result *federate.Result
	options := federate.Options{Progress: telling(tell)}
	var seen watch
	var film *Playback
	switch {
	case e.Audit != nil:
		if row.Subject+row.Seed == 0 {
			e.Audit.begin(len(e.document.Schedulers))
		}
		seen = newWatch(len(s.load.Durations))
		options.Trace = seen.note
	case row.Seed == 0 && s.played() == nil:
		film = s.playback(MaxPlayedEvents)
		options.Trace = film.note
	}
	milliseconds := e.env.Time(ctx, s.scheduler, func() { result, err = s.run(ctx, options) }, func() { s.run(ctx, federate.Options{}) })
	if result == nil {
		return nil, e.wrong(err)
	}
	if e.Audit != nil {
		e.Audit.tell(result, s.load, seen, s.config.Cutoff)
	}
	if film != nil && !result.Partial {
		e.played = film
	}
	t.Running = [][]float64{{milliseconds}}
	r := SchedulerReport{Measured: result.Measured, Partial: result.Partial, Slowest: slowest(result, s.load)}
	if len(r.Series.Share) > MaxShownUsers {
		r.Series.Share = [][]float64{}
	}
	return &Report{Workload: e.workload(s.load), Schedulers: []SchedulerReport{r}, Cancelled: r.Partial, Warnings: e.warnings}, nil
}

// simulation is the input of a run of one scheduler with one seed.
type simulation struct {
	scheduler string
	config    federate.Config
	load      *workload.Tasks
}

// simulation returns the input of a row.
func (e *Prepared) simulation(subject, seed int) (*simulation, error) {
	d := e.document.row(subject, seed)
	load, err := e.loadFor(d)
	if err != nil {
		return nil, err
	}
	config, err := d.configure(load, &e.machines)
	if err != nil {
		return nil, e.wrong(err)
	}
	return &simulation{d.Schedulers[0], config, load}, nil
}

func (s *simulation) run(ctx context.Context, o federate.Options) (*federate.Result, error) {
	return federate.Run(ctx, s.scheduler, s.config, s.load, o)
}

func telling(tell func(scenario.Progress)) func(federate.Progress) {
	return func(p federate.Progress) {
		tell(scenario.Progress{
			Phase: "running", Fraction: p.Fraction(), Done: int64(p.Requests), Total: int64(p.RequestsInAll), Unit: "tasks",
			Time: workload.Seconds(p.Now), Events: p.Events,
		})
	}
}

// gather keeps the first finished seed of each scheduler, and adds a summary over all seeds.
var gather = scenario.Bodies[Report, SchedulerReport]{
	List: func(r *Report) *[]SchedulerReport { return &r.Schedulers },
	Over: func(r *Report, first *SchedulerReport, all []SchedulerReport, seeds int) {
		if seeds > 1 {
			first.Summary = summarise(all)
		}
		r.Cancelled = r.Cancelled || slices.ContainsFunc(all, func(s SchedulerReport) bool { return s.Partial })
	},
	Ends:     func(r *Report) { r.Cancelled = true },
	Warnings: func(r *Report) *[]string { return &r.Warnings },
}

// summarise computes the summary of all seeds of one scheduler.
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

// Identify puts the digest of the trace into the document, if the trace is a file next to it.
func (r *Report) Identify(d scenario.Document) { d.(*Document).Trace.Identify(r.Workload.SHA256) }

// Survey reports the workload and the tasks that can never run, without running a scheduler. The
// list of schedulers is empty.
func (e *Prepared) Survey() (*Report, error) {
	load, err := e.loadFor(e.document)
	if err != nil {
		return nil, err
	}
	return &Report{Workload: e.workload(load), Schedulers: []SchedulerReport{}, Warnings: e.warnings}, nil
}

// workload returns the description of a workload for the report.
func (e *Prepared) workload(load *workload.Tasks) Workload {
	widest := 0
	for _, job := range load.Jobs {
		if job.Gang && job.Count > 1 {
			widest = max(widest, int(job.Count))
		}
	}
	w := Workload{
		Widest: widest,
		Name:   e.document.Trace.Name, SHA256: e.digest, Jobs: len(load.Jobs), Tasks: len(load.Durations),
		Users: append([]string{}, load.Users...), Resources: load.Resources,
		Demand: demandOf(load), Capacity: []float64{},
	}
	config, err := e.document.configure(load, &e.machines)
	if err == nil { // otherwise an error has been reported before
		for _, all := range federate.NewCenter(&config, load).Total {
			w.Capacity = append(w.Capacity, all.Units())
		}
	}
	if e.document.unlike() {
		w.Workers = config.Workers
	}
	if n := len(load.Jobs); n > 0 {
		w.LastArrival = workload.Seconds(load.Jobs[n-1].Arrival - load.Jobs[0].Arrival)
	}
	w.Name = cmp.Or(w.Name, show.Count(w.Jobs, "job"))
	return w
}

// slowest returns the MaxSlowest tasks with the longest allocation times, the slowest first.
func slowest(r *federate.Result, load *workload.Tasks) []Slow {
	all, jobs := make([]Slow, 0, MaxSlowest+1), jobsOf(load)
	for task, wait := range r.Waits {
		x := Slow{Task: task, Time: workload.Seconds(wait)}
		if wait < 0 || len(all) == MaxSlowest && x.Time < all[MaxSlowest-1].Time {
			continue
		}
		x.Job = jobs[task]
		at, _ := slices.BinarySearchFunc(all, x, func(a, b Slow) int {
			return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Task, b.Task))
		})
		if at < MaxSlowest {
			all = slices.Insert(all, at, x)
			all = all[:min(len(all), MaxSlowest)]
		}
	}
	return all
}
