package federatekind

import (
	"fmt"

	"berth/engine/federate"
	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/scenario"
	"berth/engine/stats"
)

// Report is the body of the report of kind "federate". Times are in seconds.
type Report struct {
	Workload Workload `json:"workload"` // of the first seed
	// Schedulers has what each did with the first seed, and over all of them.
	Schedulers []SchedulerReport `json:"schedulers"`
	Cancelled  bool              `json:"-"` // some run was, or did not begin: the report around it is partial
	Warnings   []string          `json:"warnings"`
}

// Workload says what there is to do, whatever the scheduler.
type Workload struct {
	Name        string   `json:"name"`
	SHA256      string   `json:"sha256,omitempty"` // of the text of the trace
	Jobs        int      `json:"jobs"`
	Tasks       int      `json:"tasks"`
	Users       []string `json:"users"` // none if the trace does not know them
	Resources   []string `json:"resources"`
	LastArrival float64  `json:"lastArrival"` // since the first one
	Demand      Demand   `json:"demand"`
	// Workers is how many there are by the list of machines; 0 where the document says it.
	Workers int `json:"workers,omitempty"`
	// Capacity is how much of each resource all workers have together, in units.
	Capacity []float64 `json:"capacity"`
}

// Demand is how much would be in use if every task started on arrival (figure
// 5), in units: the mean in each span of time, by resource.
type Demand struct {
	Width  float64     `json:"width"`
	Values [][]float64 `json:"values"`
	Peak   []float64   `json:"peak"` // the largest at any time
}

// Ended is what a scheduler brought to its end.
type Ended struct {
	Name   string `json:"name"`
	Tasks  int    `json:"tasks"`
	Jobs   int    `json:"jobs"`
	Events int64  `json:"events"`
}

// Times are how long tasks and jobs took under a scheduler.
type Times struct {
	Allocation    figure.Quantiles `json:"allocationTime"`
	JobDelay      figure.Quantiles `json:"jobDelay"` // completion less the longest task
	JobCompletion figure.Quantiles `json:"jobCompletion"`
	// Completion times of jobs whose tasks have a mean duration up to the cutoff, and of others.
	ShortJobs figure.Quantiles `json:"shortJobs"`
	LongJobs  figure.Quantiles `json:"longJobs"`
	// Completion over the longest task; bounded: at least 1, and over 10 s at least.
	Slowdown        figure.Quantiles `json:"slowdown"`
	BoundedSlowdown figure.Quantiles `json:"boundedSlowdown"`
	Components      Components       `json:"components"` // means; they add up to that of the allocation time
	Medians         Components       `json:"medians"`
}

// Effort counts what a scheduler did beside launching tasks.
type Effort struct {
	Inconsistencies    int64 `json:"inconsistencies"`
	Repartitions       int64 `json:"repartitions"`
	PreemptionAttempts int64 `json:"preemptionAttempts"`
	Preemptions        int64 `json:"preemptions"`
	Messages           int64 `json:"messages"`
}

// SchedulerReport is what one scheduler did with the first seed.
type SchedulerReport struct {
	Ended
	Times
	Tail Tail `json:"tail"`
	Effort
	Own plugin.Own `json:"own,omitzero"`

	End          float64            `json:"end"`          // of the last task, since the first arrival
	Utilisation  []float64          `json:"utilisation"`  // mean part in use up to the end, by resource
	Distribution stats.LogHistogram `json:"distribution"` // of the allocation times
	Series       Series             `json:"series"`

	Never   []Never   `json:"never"`
	Stalled []Stalled `json:"stalled"`
	Slowest []Slow    `json:"slowest"` // tasks by allocation time, at most MaxSlowest
	Partial bool      `json:"partial,omitempty"`

	Summary *Summary `json:"summary,omitempty"` // with two seeds or more
}

// MaxSlowest is how many of the tasks that waited longest a report names.
const MaxSlowest = 20

// MaxShownUsers is the largest number of users whose shares over time a report
// has.
const MaxShownUsers = 100

// Components of the allocation time; see federate.Component.
type Components struct {
	Queueing      figure.Number `json:"queueing"`
	Processing    figure.Number `json:"processing"`
	Worker        figure.Number `json:"worker"`
	Communication figure.Number `json:"communication"`
}

// Tail is the tasks that waited longest; see federate.Tail. For each component, how
// many tasks it dominates.
type Tail struct {
	Tasks         int     `json:"tasks"`
	From          float64 `json:"from"` // the shortest of their allocation times
	Queueing      int     `json:"queueing"`
	Processing    int     `json:"processing"`
	Worker        int     `json:"worker"`
	Communication int     `json:"communication"`
}

// Series has means over spans of time from the first arrival on.
type Series struct {
	Width       float64     `json:"width"`
	Utilisation [][]float64 `json:"utilisation"` // part in use, by resource
	// Share is the dominant share in use by each user; none of more than
	// MaxShownUsers.
	Share [][]float64 `json:"share"`
	Jain  []float64   `json:"jain"` // index of what users use over what is theirs
}

// Never is a group of tasks that no worker can ever run.
type Never struct {
	Kind   string `json:"kind"`
	Tasks  int    `json:"tasks"`
	Job    int    `json:"job"` // the first of them, from 0
	Reason string `json:"reason"`
}

// Stalled is a group of tasks that wait though nothing happens any more.
type Stalled struct {
	User   int    `json:"user"` // from 0
	Kind   string `json:"kind"`
	Tasks  int    `json:"tasks"`
	Reason string `json:"reason"`
}

// Slow is a task that waited long.
type Slow struct {
	Task int     `json:"task"` // of the workload, from 0
	Job  int     `json:"job"`
	Time float64 `json:"time"`
}

// Summary is over the runs of several seeds that were not cancelled. A metric
// that is not defined for one of them is left out.
type Summary struct {
	Runs    int                        `json:"runs"`
	Metrics map[string]figure.Estimate `json:"metrics"` // by the names of Figures
}

// Of returns the estimate of a figure, undefined if there is none.
func (s *Summary) Of(name string) figure.Estimate {
	if e, ok := s.Metrics[name]; ok {
		return e
	}
	return figure.EstimateOf(nil)
}

// ReportOf returns the body of a report of this kind, nil of another.
func ReportOf(r *scenario.Report) *Report { return scenario.As[*Report](r.Body) }

// Scheduler finds a scheduler by its name, nil if the report has it not.
func (r *Report) Scheduler(name string) *SchedulerReport {
	for i := range r.Schedulers {
		if r.Schedulers[i].Name == name {
			return &r.Schedulers[i]
		}
	}
	return nil
}

// Subjects returns the schedulers.
func (r *Report) Subjects() []string {
	return scenario.Subjects(r.Schedulers, func(x *SchedulerReport) string { return x.Name })
}

// Headline implements [scenario.ReportBody].
func (r *Report) Headline() scenario.Headline {
	if len(r.Schedulers) == 0 {
		return scenario.Headline{}
	}
	first := &r.Schedulers[0]
	h := scenario.Headline{Subject: first.Name, Figures: []scenario.Amount{{Thing: "task", Value: float64(first.Tasks)}}}
	if median := first.Allocation.At("p50"); median.Defined() {
		h.Figures = append(h.Figures, scenario.Amount{Name: "median allocation time", Unit: "s", Value: float64(median)})
	}
	return h
}

// Complete reports whether every task ran to its end wherever the details are
// told.
func (r *Report) Complete() bool {
	for i := range r.Schedulers {
		if s := &r.Schedulers[i]; len(s.Never) > 0 || len(s.Stalled) > 0 {
			return false
		}
	}
	return !r.Cancelled
}

// Remarks returns what a reader must know of the report.
func (r *Report) Remarks() (notes, warnings []string) {
	notes, warnings = []string{}, append([]string{}, r.Warnings...)
	for i := range r.Schedulers {
		if name := r.Schedulers[i].Name; federate.NameOf(name) != name {
			notes = append(notes, renamed(name))
		}
		for _, text := range r.Schedulers[i].Own.Notes {
			notes = append(notes, fmt.Sprintf("%s: %s", r.Schedulers[i].Name, text))
		}
		for _, left := range r.Schedulers[i].Stalled {
			warnings = append(warnings, fmt.Sprintf("%s: %s", r.Schedulers[i].Name, left))
		}
	}
	return notes, warnings
}

// Partial reports whether some run was cancelled, or did not begin.
func (r *Report) Partial() bool { return r.Cancelled }
