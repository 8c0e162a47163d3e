package federate

import (
	"fmt"
	"slices"

	"berth/engine/figure"
	"berth/engine/input/workload"
	"berth/engine/plugin"
	"berth/engine/show"
	"berth/engine/stats"
)

// Percentiles lists the quantiles that results report for times.
var Percentiles = []figure.Percentile{
	{Name: "p50", Label: "p50", Title: "median", P: 0.5},
	{Name: "p90", Label: "p90", Title: "90th percentile", P: 0.9},
	{Name: "p95", Label: "p95", Title: "95th percentile", P: 0.95},
	{Name: "p99", Label: "p99", Title: "99th percentile", P: 0.99},
	{Name: "p999", Label: "p99.9", Title: "99.9th percentile", P: 0.999},
	{Name: "p9999", Label: "p99.99", Title: "99.99th percentile", P: 0.9999},
	{Name: "max", Label: "max", Title: "longest", P: 1},
}

// Result is the result of a run.
type Result struct {
	Measured
	Partial bool // the run was stopped by its context
	Last    Time // end of the last task, or the time at which a partial run stopped

	// Came is, by task, the time at which the scheduler received it, or −1 if it never did. It is
	// nil if no job waits for another; the time is then the arrival of the job.
	Came []Time
	// Waits (allocation times) and Parts are indexed by task. A task that can never run has the
	// wait −1.
	Waits []Time
	Parts [][Parts]Time
}

// Measured is the report of a run. Times are in seconds.
type Measured struct {
	Name   string `json:"name"`
	Tasks  int    `json:"tasks"` // ended tasks
	Jobs   int    `json:"jobs"`
	Events int64  `json:"events"`

	Allocation    figure.Quantiles `json:"allocationTime"`
	JobDelay      figure.Quantiles `json:"jobDelay"` // completion time minus the longest task on the fastest worker
	JobCompletion figure.Quantiles `json:"jobCompletion"`
	// Completion times of jobs whose tasks have a mean duration up to the cutoff, and of the other
	// jobs.
	ShortJobs figure.Quantiles `json:"shortJobs"`
	LongJobs  figure.Quantiles `json:"longJobs"`
	// Slowdown is the completion time of a job divided by its longest task on the fastest worker,
	// for jobs whose longest task takes time. BoundedSlowdown is at least 1 and counts tasks
	// shorter than 10 s as 10 s (Feitelson and Rudolph 1998).
	Slowdown        figure.Quantiles `json:"slowdown"`
	BoundedSlowdown figure.Quantiles `json:"boundedSlowdown"`
	Components      Components       `json:"components"` // means over tasks; they add up to Allocation.Mean
	Medians         Components       `json:"medians"`    // by component, over tasks
	Tail            Tail             `json:"tail"`

	Counters
	Own plugin.Own `json:"own,omitzero"` // of the scheduler

	End          float64            `json:"end"`          // from the first arrival to the end of the last task
	Utilisation  []float64          `json:"utilisation"`  // mean fraction in use until End, by resource
	Distribution stats.LogHistogram `json:"distribution"` // of the allocation times
	Series       Series             `json:"series"`

	Never   []Never   `json:"never"`
	Stalled []Stalled `json:"stalled"` // tasks that still waited when the run ended
}

// Components has a value for each part of the allocation time.
type Components struct {
	Queueing      figure.Number `json:"queueing"`
	Processing    figure.Number `json:"processing"`
	Worker        figure.Number `json:"worker"`
	Communication figure.Number `json:"communication"`
}

// Of returns the value of a part.
func (c *Components) Of(part Component) *figure.Number {
	return [Parts]*figure.Number{&c.Queueing, &c.Processing, &c.Worker, &c.Communication}[part]
}

// Tail describes the slowest ended tasks: one in a hundred, at least one, and every task that
// waited as long as the fastest of these. Components counts, for each component, the tasks in which
// it is the largest, or the first of several equal ones.
type Tail struct {
	Tasks int     `json:"tasks"`
	From  float64 `json:"from"` // the shortest allocation time among them
	Components
}

// Stalled is a group of tasks that had not ended when the run ended.
type Stalled struct {
	User   int    `json:"user"` // from 0
	Kind   string `json:"kind"`
	Tasks  int    `json:"tasks"`
	Reason string `json:"reason"` // why they cannot go on
}

// Arrivals returns the time at which the scheduler received each task of its workload, since the
// first arrival. For a task that it never received, it returns the arrival of the job.
func (r *Result) Arrivals(load *workload.Tasks) []Time {
	all, origin := make([]Time, len(load.Durations)), firstArrival(load)
	for _, job := range load.Jobs {
		for t := job.First; t < job.First+job.Count; t++ {
			if all[t] = job.Arrival - origin; r.Came != nil && r.Came[t] >= 0 {
				all[t] = r.Came[t]
			}
		}
	}
	return all
}

// summarise returns the quantiles of values, which it sorts.
func summarise(values []float64) figure.Quantiles { return figure.QuantilesOf(values, Percentiles) }

func (m *Model) result(partial bool) *Result {
	if s, ok := m.scheduler.(finisher); ok {
		s.Finish()
	}
	r := &Result{Partial: partial, Last: m.lastEnd, Measured: Measured{
		Tasks: m.done, Events: m.Counters.Events, Counters: m.Counters, Own: m.Own, Never: []Never{}, Stalled: []Stalled{},
	}}
	if partial {
		r.Last = m.now
	}
	r.End = workload.Seconds(r.Last)
	m.taskResults(r)
	m.jobResults(r)
	r.Series, r.Utilisation = m.timeline.series(r.Last, len(m.Config.Capacity))
	r.Series.Jain = m.jain(r.Series.Share)
	if m.done < len(m.tasks) && !partial {
		r.Stalled = m.stalled()
	}
	return r
}

// finisher is a scheduler that computes counters over the whole run. Finish is called once, after
// the last event.
type finisher interface{ Finish() }

func (m *Model) taskResults(r *Result) {
	r.Waits, r.Parts = m.waited, m.parts
	if m.chain != nil {
		r.Came = m.chain.came
	}
	ended := make([]float64, 0, m.done)
	for i := range m.tasks {
		if m.tasks[i].state == taskDone {
			ended = append(ended, workload.Seconds(m.waited[i]))
		}
	}
	r.Allocation = summarise(ended)
	r.Distribution = stats.NewLogHistogram(ended)
	r.Tail = m.tail(ended)
	for p := range Component(Parts) {
		part := ended[:0]
		for i := range m.tasks {
			if m.tasks[i].state == taskDone {
				part = append(part, workload.Seconds(m.parts[i][p]))
			}
		}
		*r.Components.Of(p) = figure.Number(stats.Mean(part))
		slices.Sort(part)
		*r.Medians.Of(p) = figure.Number(stats.Quantile(part, 0.5))
	}
}

// tail describes the tasks with the longest allocation times. sorted has the allocation times of
// all ended tasks in ascending order.
func (m *Model) tail(sorted []float64) Tail {
	if len(sorted) == 0 {
		return Tail{}
	}
	tail := Tail{From: sorted[len(sorted)-max(1, len(sorted)/100)]}
	for i := range m.tasks {
		if m.tasks[i].state != taskDone || workload.Seconds(m.waited[i]) < tail.From {
			continue
		}
		parts := &m.parts[i]
		most := Queueing
		for p := range parts {
			if parts[p] > parts[most] {
				most = Component(p)
			}
		}
		tail.Tasks++
		*tail.Of(most)++
	}
	return tail
}

func (m *Model) jobResults(r *Result) {
	values := make([]float64, 0, len(m.jobs))
	// over returns the quantiles of of(job) over the ended jobs for which counts is true.
	over := func(counts func(job *ended) bool, of func(job *ended) float64) figure.Quantiles {
		values = values[:0]
		for i := range m.jobs {
			if m.jobs[i].left == 0 {
				if job := m.ended(i); counts(&job) {
					values = append(values, of(&job))
				}
			}
		}
		return summarise(values)
	}
	all := func(*ended) bool { return true }
	completion := func(job *ended) float64 { return workload.Seconds(job.completion) }
	r.JobCompletion = over(all, completion)
	r.Jobs = len(values)
	r.ShortJobs, r.LongJobs = over(func(job *ended) bool { return job.short }, completion), over(func(job *ended) bool { return !job.short }, completion)
	r.JobDelay = over(all, func(job *ended) float64 { return workload.Seconds(job.completion - job.longest) })
	r.Slowdown = over(func(job *ended) bool { return job.longest > 0 }, func(job *ended) float64 { return float64(job.completion) / float64(job.longest) })
	r.BoundedSlowdown = over(all, func(job *ended) float64 {
		return max(1, float64(job.completion)/float64(max(job.longest, slowdownBound)))
	})
}

// ended describes a job that has ended.
type ended struct {
	completion Time
	longest    Time // longest duration of its tasks on the fastest worker
	short      bool
}

func (m *Model) ended(i int) ended {
	job := &m.Load.Jobs[i]
	longest := slices.Max(m.Load.Durations[job.First : job.First+job.Count])
	return ended{m.jobs[i].end - m.came(i), m.scaled(longest, m.Center.fastest), job.Mean <= m.Config.Cutoff}
}

// slowdownBound is the shortest task length that counts in the bounded slowdown.
const slowdownBound = 10 * Second

// jain returns, for each span, Jain's index of the users' dominant shares divided by their
// configured shares.
func (m *Model) jain(share [][]float64) []float64 {
	if len(share) == 0 {
		return []float64{}
	}
	index := make([]float64, len(share[0]))
	part := make([]float64, len(share))
	for b := range index {
		for u := range share {
			part[u] = share[u][b] / m.Share(int32(u))
		}
		index[b] = stats.Jain(part)
	}
	return index
}

// preemptionsWithoutEnd limits the preemptions per task since a task last ended. Above it the run
// counts as livelocked.
const preemptionsWithoutEnd = 100

// livelocked reports whether tasks keep preempting each other so that none ends.
func (m *Model) livelocked() bool {
	return m.Counters.Preemptions-m.preemptedAtEnd > preemptionsWithoutEnd*int64(len(m.tasks))
}

// stalled groups the unfinished tasks by user and kind.
func (m *Model) stalled() []Stalled {
	reason := starved
	switch {
	case m.outOfTime:
		reason = fmt.Sprintf(outOfTime, show.Figure(workload.Seconds(workload.MaxClock)))
	case m.livelocked():
		reason = fmt.Sprintf(livelocked, m.Counters.Preemptions-m.preemptedAtEnd)
	}
	place := map[[2]int32]int{}
	all := []Stalled{}
	for i := range m.tasks {
		if m.tasks[i].state == taskDone {
			continue
		}
		key := [2]int32{m.User(int32(i)), m.Load.KindOf[i]}
		at, known := place[key]
		if !known {
			at = len(all)
			place[key] = at
			all = append(all, Stalled{User: int(key[0]), Kind: m.Load.KindString(key[1]), Reason: reason})
		}
		all[at].Tasks++
	}
	return all
}
