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
	// Schedulers has the result of each scheduler with the first seed, and over all seeds.
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
	Widest      int      `json:"widest,omitempty"` // tasks of the largest gang, if there are gangs
	Users       []string `json:"users"`            // none if the trace does not know them
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

// SchedulerReport is what one scheduler did with the first seed.
type SchedulerReport struct {
	federate.Measured
	Slowest []Slow `json:"slowest"` // tasks by allocation time, at most MaxSlowest
	Partial bool   `json:"partial,omitempty"`

	Summary *Summary `json:"summary,omitempty"` // with two seeds or more

	workload *Workload // of its report
}

// MaxSlowest is how many of the tasks that waited longest a report names.
const MaxSlowest = 20

// MaxShownUsers is the largest number of users whose shares over time a report
// has.
const MaxShownUsers = 100

// Slow is a task that waited long.
type Slow struct {
	Task int     `json:"task"` // of the workload, from 0
	Job  int     `json:"job"`
	Time float64 `json:"time"`
}

// Summary is over the runs of several seeds that were not cancelled. A metric
// that is not defined for one of them is left out.
type Summary struct {
	Runs    int              `json:"runs"`
	Metrics figure.Estimates `json:"metrics"` // by name
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

// Subject implements [figure.Body].
func (r *Report) Subject(i int) any {
	if i < 0 || i >= len(r.Schedulers) {
		return nil
	}
	s := r.Schedulers[i]
	s.workload = &r.Workload
	return &s
}

// Complete reports whether every task ended under every scheduler with details.
func (r *Report) Complete() bool {
	for i := range r.Schedulers {
		if s := &r.Schedulers[i]; len(s.Never) > 0 || len(s.Stalled) > 0 {
			return false
		}
	}
	return !r.Cancelled
}

// Remarks returns the notes and warnings that qualify the figures.
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
