package federatekind

import (
	"fmt"

	"berth/engine/federate"
	"berth/engine/figure"
	"berth/engine/scenario"
)

// Report is the body of the report of kind "federate". Times are in seconds.
type Report struct {
	Workload Workload `json:"workload"` // of the first seed
	// Schedulers holds the results with the first seed, and the summaries over all seeds.
	Schedulers []SchedulerReport `json:"schedulers"`
	Cancelled  bool              `json:"-"` // a run was cancelled or did not begin; the enclosing report is partial
	Warnings   []string          `json:"warnings"`
}

// Workload describes the work and the data centre, independent of any scheduler.
type Workload struct {
	Name        string   `json:"name"`
	SHA256      string   `json:"sha256,omitempty"` // of the text of the trace
	Jobs        int      `json:"jobs"`
	Tasks       int      `json:"tasks"`
	Widest      int      `json:"widest,omitempty"` // number of tasks of the largest gang; 0 without gangs
	Users       []string `json:"users"`            // empty if the trace does not name users
	Resources   []string `json:"resources"`
	LastArrival float64  `json:"lastArrival"` // since the first arrival
	Demand      Demand   `json:"demand"`
	// Workers is the number of machines in the list; 0 if the document gives the number.
	Workers int `json:"workers,omitempty"`
	// Capacity is the total capacity of all workers, by resource, in units.
	Capacity []float64 `json:"capacity"`
}

// Demand is the usage, in units, if every task started on arrival (figure 5 of the paper). Values
// has the mean in each time span, by resource.
type Demand struct {
	Width  float64     `json:"width"`
	Values [][]float64 `json:"values"`
	Peak   []float64   `json:"peak"` // largest value at any time, by resource
}

// SchedulerReport is the result of one scheduler with the first seed.
type SchedulerReport struct {
	federate.Measured
	Slowest []Slow `json:"slowest"` // the tasks with the longest allocation times, at most MaxSlowest
	Partial bool   `json:"partial,omitempty"`

	Summary *Summary `json:"summary,omitempty"` // only with two seeds or more

	workload *Workload // of the report around it; set by Subject
}

// MaxSlowest is the largest number of slowest tasks in a report.
const MaxSlowest = 20

// MaxShownUsers is the largest number of users for which a report has shares over time.
const MaxShownUsers = 100

// Slow is a task with a long allocation time, in seconds.
type Slow struct {
	Task int     `json:"task"` // index in the workload, from 0
	Job  int     `json:"job"`
	Time float64 `json:"time"`
}

// Summary summarizes the completed runs of several seeds. It omits metrics that are undefined in
// one of the runs.
type Summary struct {
	Runs    int              `json:"runs"`
	Metrics figure.Estimates `json:"metrics"` // by name
}

// ReportOf returns the body of a report of this kind, or nil for another kind.
func ReportOf(r *scenario.Report) *Report { return scenario.As[*Report](r.Body) }

// Scheduler returns the result of the scheduler with the given name, or nil.
func (r *Report) Scheduler(name string) *SchedulerReport {
	for i := range r.Schedulers {
		if r.Schedulers[i].Name == name {
			return &r.Schedulers[i]
		}
	}
	return nil
}

// Subjects returns the names of the schedulers.
func (r *Report) Subjects() []string {
	return scenario.Subjects(r.Schedulers, func(x *SchedulerReport) string { return x.Name })
}

// Subject implements [figure.Body].
func (r *Report) Subject(i int) any {
	if i < 0 || i >= len(r.Schedulers) {
		return nil
	}
	s := r.Schedulers[i]
	s.workload = &r.Workload
	return &s
}

// Complete reports whether every task ended under every scheduler and no run was cancelled.
func (r *Report) Complete() bool {
	for i := range r.Schedulers {
		if s := &r.Schedulers[i]; len(s.Never) > 0 || len(s.Stalled) > 0 {
			return false
		}
	}
	return !r.Cancelled
}

// Remarks returns the notes and warnings that qualify the figures. Neither list is nil.
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

// Partial reports whether a run was cancelled or did not begin.
func (r *Report) Partial() bool { return r.Cancelled }
