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
	Workload WorkloadSummary `json:"workload"`
	Hosts    HostsSummary    `json:"hosts"`
	// Overheads has the hot set and the cold one; a single one that is for both.
	Overheads []OverheadSummary `json:"overheads"`
	Alpha     float64           `json:"alpha"`   // the expected time of an allocation that was used
	Classes   []qos.Class       `json:"classes"` // as they were used, with their defaults filled in
	Policies  []PolicyReport    `json:"policies"`
	// Inputs has the SHA-256 of each text by slot, for the scenario's hash.
	Inputs   []InputDigest `json:"inputs"`
	Notes    []string      `json:"notes"` // of the inputs
	Warnings []string      `json:"warnings"`

	stopped bool    // runs are missing
	paired  *paired // nil unless it is the report of a run here, of two policies at least
}

// InputDigest names a text that was read.
type InputDigest struct {
	Slot   string `json:"slot"`
	Name   string `json:"name"`
	SHA256 string `json:"sha256,omitempty"` // none of a recipe
	Bytes  int64  `json:"bytes,omitempty"`
}

// WorkloadSummary describes the workload before any run.
type WorkloadSummary struct {
	Name     string  `json:"name"`
	Requests int     `json:"requests"` // that are simulated
	First    float64 `json:"first"`    // submission
	Last     float64 `json:"last"`
	Hopeless int     `json:"hopeless"`          // fit no host, even an empty one
	Example  string  `json:"example,omitempty"` // the id of the first of these
	Misfit   *Misfit `json:"misfit,omitempty"`  // of these
	Ordered  bool    `json:"ordered"`           // by submission
	LeftOut  int     `json:"leftOut,omitempty"` // rows of the file that are no demand or whose running time is unknown
	// Sample and Admission say what Requests are of, where there are such.
	Sample    *SampleSummary    `json:"sample,omitempty"`
	Admission *AdmissionSummary `json:"admission,omitempty"`

	Instances           int `json:"instances,omitempty"`           // that controllers submit beside the requests, at most
	HopelessControllers int `json:"hopelessControllers,omitempty"` // whose instances fit no host
}

// AllCanRun says whether there is a host for every request and instance.
func (w *WorkloadSummary) AllCanRun() bool { return w.Hopeless == 0 && w.HopelessControllers == 0 }

// HostsSummary describes the infrastructure.
type HostsSummary struct {
	Name      string `json:"name"`
	Hosts     int    `json:"hosts"` // that are there at the start
	qos.Units        // of all of these
	Events    int    `json:"events"` // hosts that go and come
}

// OverheadSummary describes a set of allocation overheads.
type OverheadSummary struct {
	Name  string  `json:"name"`
	Count int     `json:"count"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
}

// PolicyReport is what one policy did: Run with the first seed, Seeds over all
// of them.
type PolicyReport struct {
	Title string       `json:"title"` // the policy and how it was carried out, or its label: see PolicyRun.Title
	Name  string       `json:"name"`
	Run   qos.Measured `json:"run"`
	Seeds *SeedReport  `json:"seeds,omitempty"` // with two seeds or more
	// Notes and Warnings qualify the figures.
	Notes    []string `json:"notes,omitempty"`
	Warnings []string `json:"warnings,omitempty"`

	fairness func() []qos.LevelFairness // of figure 9; nil where it is not known
}

// SeedReport has means over the runs of all seeds: in JSON each estimate has the key of its
// figure.
type SeedReport struct {
	Runs    int              // that ended
	Of      figure.Estimates // of the run and of all controllers
	Classes []SeedFigures    // those of Run
	All     SeedFigures
}

// SeedFigures has means over seeds of the figures of a class.
type SeedFigures struct {
	Name string
	Of   figure.Estimates
}

// Class returns the means of a class by its name, or of all of them; none of a class that
// is not there, and of a single seed.
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
	for _, f := range slices.Backward(keyed(ofRun, true)) { // as they were first written
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

// Remarks returns the notes and the warnings of the inputs and of all policies;
// neither is nil.
func (r *Report) Remarks() (notes, warnings []string) {
	notes, warnings = append([]string{}, r.Notes...), append([]string{}, r.Warnings...)
	for i := range r.Policies {
		notes = append(notes, r.Policies[i].Notes...)
		warnings = append(warnings, r.Policies[i].Warnings...)
	}
	return notes, warnings
}

// ReportOf returns the body of a report of this kind, nil of another.
func ReportOf(r *scenario.Report) *Report { return scenario.As[*Report](r.Body) }

// Subjects returns the titles of the policies.
func (r *Report) Subjects() []string {
	return scenario.Subjects(r.Policies, func(x *PolicyReport) string { return x.Title })
}

// Subject implements [figure.Body].
func (r *Report) Subject(i int) any { return figure.At(r.Policies, i) }

// Complete reports whether there is a host for every request and instance.
func (r *Report) Complete() bool { return r.Workload.AllCanRun() }

// gather keeps the first finished seed of each policy, and its figures over all seeds.
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

// Identify puts the digests of texts into the sources that they were files next to.
func (r *Report) Identify(d scenario.Document) {
	for _, slot := range d.Slots() {
		for _, input := range r.Inputs {
			if input.Slot == slot.Name && slot.Source.Beside() {
				slot.Source.SHA256 = input.SHA256
			}
		}
	}
}

// Partial says whether a run was stopped before its end, or did not begin.
func (r *Report) Partial() bool {
	return r.stopped || slices.ContainsFunc(r.Policies, func(p PolicyReport) bool { return p.Run.Partial })
}
