package qoskind

import (
	"encoding/json"
	"slices"

	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/scenario"
)

// Report is the body of the report of kind "qos". Times are in seconds.
type Report struct {
	Workload WorkloadSummary
	Hosts    HostsSummary
	// Overheads has the hot and the cold set, or a single set for both cases.
	Overheads []OverheadSummary
	Alpha     float64     // expected allocation time in the run
	Classes   []qos.Class // classes of the run, including defaults
	Policies  []PolicyReport
	// Inputs has the SHA-256 of each file by slot, for the hash of the scenario.
	Inputs   []InputDigest
	Notes    []string // notes about the inputs
	Warnings []string

	stopped bool    // some runs are missing
	paired  *paired // nil unless this process has run at least two policies
}

// InputDigest identifies a file that was read.
type InputDigest struct {
	Slot   string
	Name   string
	SHA256 string `json:"sha256,omitempty"` // empty for a recipe
	Bytes  int64  `json:"bytes,omitempty"`
}

// WorkloadSummary describes the workload before any run.
type WorkloadSummary struct {
	Name     string
	Requests int     // number of simulated requests
	First    float64 // first submission
	Last     float64
	Hopeless int     // requests that fit on no host, even an empty one
	Example  string  `json:"example,omitempty"` // id of the first hopeless request
	Misfit   *Misfit `json:"misfit,omitempty"`  // comparison of the hopeless requests with the hosts
	Ordered  bool    // the requests are in order of submission
	LeftOut  int     `json:"leftOut,omitempty"` // rows of the file without a demand or a running time
	// Sample and Admission describe how Requests was selected from the workload; nil if not used.
	Sample    *SampleSummary    `json:"sample,omitempty"`
	Admission *AdmissionSummary `json:"admission,omitempty"`

	Instances           int `json:"instances,omitempty"`           // maximum number of instances that controllers submit in addition to the requests
	HopelessControllers int `json:"hopelessControllers,omitempty"` // controllers whose instances fit on no host
}

// AllCanRun reports whether every request and instance fits on some host.
func (w *WorkloadSummary) AllCanRun() bool { return w.Hopeless == 0 && w.HopelessControllers == 0 }

// HostsSummary describes the infrastructure.
type HostsSummary struct {
	Name      string
	Hosts     int // number of hosts at the start
	qos.Units     // total capacity of these hosts
	Events    int // number of host events
}

// OverheadSummary describes a set of allocation overheads.
type OverheadSummary struct {
	Name  string
	Count int
	Mean  float64
	Min   float64
	Max   float64
}

// PolicyReport has the results of one policy: Run for the first seed, Seeds over all seeds.
type PolicyReport struct {
	Title string // policy and options, or the label: see PolicyRun.Title
	Name  string
	Run   qos.Measured
	Seeds *SeedReport `json:"seeds,omitempty"` // nil for a single seed
	// Notes and Warnings qualify the figures.
	Notes    []string `json:"notes,omitempty"`
	Warnings []string `json:"warnings,omitempty"`

	fairness func() []qos.LevelFairness // figure 9; nil if unknown
}

// SeedReport has means over the runs of all seeds. In JSON, each estimate has the key of its
// figure.
type SeedReport struct {
	Runs    int              // number of completed runs
	Of      figure.Estimates // estimates for the run and for all controllers
	Classes []SeedFigures    // the same classes as in Run
	All     SeedFigures
}

// SeedFigures has means over seeds of a class's figures.
type SeedFigures struct {
	Name string
	Of   figure.Estimates
}

// Class returns the estimates of a class by its name, or of all classes for "all". It returns nil
// for an unknown class or a single seed.
func (s *SeedReport) Class(name string) figure.Estimates {
	if s == nil {
		return nil
	}
	for _, c := range append(s.Classes, s.All) {
		if c.Name == name {
			return c.Of
		}
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (s *SeedReport) MarshalJSON() ([]byte, error) {
	o := figure.NewObject("runs", s.Runs)
	o.AddEstimates(keyed(ofRun, false), s.Of)
	o.Put("classes", s.Classes)
	o.Put("all", s.All)
	for _, f := range slices.Backward(keyed(ofRun, true)) { // the order of keys in the first version
		if e, known := s.Of[f.Key]; known {
			o.Put(f.Key, e)
		}
	}
	return o.MarshalJSON()
}

// UnmarshalJSON implements [json.Unmarshaler].
func (s *SeedReport) UnmarshalJSON(data []byte) error {
	var read struct {
		Runs    int
		Classes []SeedFigures
		All     SeedFigures
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*s = SeedReport{Runs: read.Runs, Classes: read.Classes, All: read.All, Of: figure.Estimates{}}
	return s.Of.Read(ofRun, data)
}

// MarshalJSON implements [json.Marshaler].
func (s SeedFigures) MarshalJSON() ([]byte, error) {
	o := figure.NewObject("name", s.Name)
	o.AddEstimates(keyed(ClassFigures, false), s.Of)
	return o.MarshalJSON()
}

// UnmarshalJSON implements [json.Unmarshaler].
func (s *SeedFigures) UnmarshalJSON(data []byte) error {
	var read struct{ Name string }
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*s = SeedFigures{Name: read.Name, Of: figure.Estimates{}}
	return s.Of.Read(keyed(ClassFigures, false), data)
}

// Remarks returns the notes and the warnings about the inputs and all policies. Neither result is
// nil.
func (r *Report) Remarks() (notes, warnings []string) {
	notes, warnings = append([]string{}, r.Notes...), append([]string{}, r.Warnings...)
	for i := range r.Policies {
		notes = append(notes, r.Policies[i].Notes...)
		warnings = append(warnings, r.Policies[i].Warnings...)
	}
	return notes, warnings
}

// ReportOf returns the body of a report of kind "qos", or nil for another kind.
func ReportOf(r *scenario.Report) *Report { return scenario.As[*Report](r.Body) }

// Subjects returns the titles of the policies.
func (r *Report) Subjects() []string {
	return scenario.Subjects(r.Policies, func(x *PolicyReport) string { return x.Title })
}

// Subject implements [figure.Body].
func (r *Report) Subject(i int) any { return figure.At(r.Policies, i) }

// Complete implements [scenario.ReportBody]: every request and instance fits on some host.
func (r *Report) Complete() bool { return r.Workload.AllCanRun() }

// gather uses the report of each policy's first completed seed and adds the means over all seeds.
var gather = scenario.Bodies[Report, PolicyReport]{
	List: func(r *Report) *[]PolicyReport { return &r.Policies },
	Over: func(_ *Report, first *PolicyReport, all []PolicyReport, _ int) {
		var runs []*PolicyReport
		for i := range all {
			if !all[i].Run.Partial {
				runs = append(runs, &all[i])
			} else {
				first.Run.Partial = true
			}
		}
		first.Seeds = newSeedReport(runs)
	},
	Ends: func(r *Report) { r.stopped = true },
}

// Identify stores the digests of the files in the sources of d that refer to files.
func (r *Report) Identify(d scenario.Document) {
	for _, slot := range d.Slots() {
		for _, input := range r.Inputs {
			if input.Slot == slot.Name && slot.Source.Beside() {
				slot.Source.SHA256 = input.SHA256
			}
		}
	}
}

// Partial reports whether a run was stopped early or never started.
func (r *Report) Partial() bool {
	return r.stopped || slices.ContainsFunc(r.Policies, func(p PolicyReport) bool { return p.Run.Partial })
}
