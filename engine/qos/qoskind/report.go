package qoskind

import (
	"math"
	"slices"

	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/qos"
	"berth/engine/scenario"
)

// Report is the body of the report of kind "qos". Times are in seconds.
type Report struct {
	Workload WorkloadSummary `json:"workload"`
	Hosts    HostsSummary    `json:"hosts"`
	// Overheads has the hot set and the cold one; a single one that is for both.
	Overheads []OverheadSummary `json:"overheads"`
	Alpha     float64           `json:"alpha"` // the expected time of an allocation that was used
	Classes   []ClassSummary    `json:"classes"`
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

// WorkloadSummary is what is known of the workload without running it.
type WorkloadSummary struct {
	Name     string  `json:"name"`
	Requests int     `json:"requests"` // that are simulated
	First    float64 `json:"first"`    // submission
	Last     float64 `json:"last"`
	Hopeless int     `json:"hopeless"`          // fit no host, even an empty one
	Example  string  `json:"example,omitempty"` // the id of the first of these
	Misfit   *Misfit `json:"misfit,omitempty"`  // of these
	Ordered  bool    `json:"ordered"`           // by submission
	// Sample and Admission say what Requests are of, where there are such.
	Sample    *SampleSummary    `json:"sample,omitempty"`
	Admission *AdmissionSummary `json:"admission,omitempty"`

	LeftOut int `json:"leftOut,omitempty"` // tasks of a Google trace that never ran or say nothing of their resources

	Instances           int `json:"instances,omitempty"`           // that controllers submit beside the requests, at most
	HopelessControllers int `json:"hopelessControllers,omitempty"` // whose instances fit no host
}

// Misfit compares the requests that fit no host with the hosts: the most that one
// of them asks for, and the most that one host has.
type Misfit struct {
	CPU        float64 `json:"cpu"`
	Memory     float64 `json:"memory"`
	HostCPU    float64 `json:"hostCPU"`
	HostMemory float64 `json:"hostMemory"`
	GPUs       int     `json:"gpus,omitempty"`
	HostGPUs   int     `json:"hostGPUs,omitempty"`
}

// AllCanRun says whether there is a host for every request and instance.
func (w *WorkloadSummary) AllCanRun() bool { return w.Hopeless == 0 && w.HopelessControllers == 0 }

// HostsSummary describes the infrastructure.
type HostsSummary struct {
	Name   string  `json:"name"`
	Hosts  int     `json:"hosts"` // that are there at the start
	CPU    float64 `json:"cpu"`   // of all of these
	Memory float64 `json:"memory"`
	GPUs   int     `json:"gpus,omitempty"`
	Events int     `json:"events"` // hosts that go and come
}

// OverheadSummary describes a set of allocation overheads.
type OverheadSummary struct {
	Name  string  `json:"name"`
	Count int     `json:"count"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
}

// ClassSummary is a class as it was used, with its defaults filled in.
type ClassSummary struct {
	Name       string  `json:"name"`
	SLO        float64 `json:"slo"`
	Importance int     `json:"importance"`
	Margin     float64 `json:"margin"`
	Limit      float64 `json:"limit"`
}

// PolicyReport is what one policy did: Run with the first seed, Seeds over all
// of them.
type PolicyReport struct {
	Title string      `json:"title"` // the policy and how it was carried out, or its label: see PolicyRun.Title
	Name  string      `json:"name"`
	Run   Run         `json:"run"`
	Seeds *SeedReport `json:"seeds,omitempty"` // with two seeds or more
	// Notes and Warnings are what a reader must know of the figures.
	Notes    []string `json:"notes,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Run has the figures of one simulation.
type Run struct {
	Seed        uint64  `json:"seed"`
	Start       float64 `json:"start"`             // the first arrival
	End         float64 `json:"end"`               // where the simulation ended; less than it should be if Partial
	Partial     bool    `json:"partial,omitempty"` // stopped before its end, or one of a later seed was: figures are of what had come by then
	Requests    int     `json:"requests"`
	Events      int64   `json:"events"`
	Passes      int64   `json:"passes"`
	Decisions   int64   `json:"decisions"`
	Operations  int64   `json:"operations"`
	Preemptions int64   `json:"preemptions"`
	Migrations  int64   `json:"migrations"`
	Overhead    float64 `json:"overhead"` // Σα over all allocations
	Hopeless    int     `json:"hopeless"`

	MeanQueue figure.Number `json:"meanQueue"` // over all passes
	Peak      Peak          `json:"peak"`
	Missed    Missed        `json:"missed"`

	Classes []ClassFigures `json:"classes"` // with at least one request
	All     ClassFigures   `json:"all"`
	// Controllers has each that submitted something, in order of their first
	// instance. It is left out if there are none.
	Controllers []qos.ControllerReport `json:"controllers,omitempty"`
	Series      Series                 `json:"series"`
	// Intervals is how many intervals of FairnessEvery were recorded; what is in
	// them is kept apart from the report.
	Intervals int        `json:"intervals"`
	Own       plugin.Own `json:"own,omitzero"`
}

// Peak is the most that the active requests asked for at one time, in units.
type Peak struct {
	CPU    float64 `json:"cpu"`
	Memory float64 `json:"memory"`
	GPUs   int     `json:"gpus,omitempty"`
}

// Missed parts the requests whose SLO was not kept by what they lost time to.
type Missed struct {
	Preempted int `json:"preempted"` // they lost a host to another
	NeverRan  int `json:"neverRan"`  // they did not, and never ran
	Late      int `json:"late"`      // they ran, but waited too long for it

	// Waived is what those that never ran would owe, in CPU-hours, were they charged for
	// the time that they waited: equation 10 charges the time that a request runs.
	Waived figure.Number `json:"waived,omitzero"`
}

// ClassFigures has what is measured of a class, or of all of them under the
// name "all" and without an SLO.
type ClassFigures struct {
	Name string  `json:"name"`
	SLO  float64 `json:"slo,omitempty"`
	qos.Figures

	// MeanHalfWidth is half the width of the 95 % confidence interval of the
	// mean availability; of the deficit it is in Deficits.
	MeanHalfWidth figure.Number `json:"meanHalfWidth"`
	// Histogram counts availabilities in Bins bins of equal width over [0, 1].
	Histogram []int `json:"histogram"`
	// Deficits are SLO − A of the requests whose SLO was not kept.
	Deficits    figure.Quantiles `json:"deficits"`
	Preemptions int64            `json:"preemptions"`
	Migrations  int64            `json:"migrations"`
	Overhead    float64          `json:"overhead"`
	Ran         float64          `json:"ran"` // Σe
}

// Bins is how many bins a histogram of availabilities has.
const Bins = 50

// Series is the system over time (figures 1 and 2), in columns of the same
// length, at most MaxPoints.
type Series struct {
	Time        []float64      `json:"time"`
	Queue       []int          `json:"queue"`
	Preemptions []int64        `json:"preemptions"` // so far
	Classes     []DemandSeries `json:"classes"`     // by class of the report
}

// MaxPoints bounds a series: of more points every second, third … is kept.
const MaxPoints = 1000

// DemandSeries is what the active requests of a class ask for, and what of it
// is allocated.
type DemandSeries struct {
	Name            string    `json:"name"`
	RequestedCPU    []float64 `json:"requestedCPU"`
	RequestedMemory []float64 `json:"requestedMemory"`
	AllocatedCPU    []float64 `json:"allocatedCPU"`
	AllocatedMemory []float64 `json:"allocatedMemory"`
}

// SeedReport has means over the runs of all seeds.
type SeedReport struct {
	Runs        int             `json:"runs"` // that ended or were stopped
	Preemptions figure.Estimate `json:"preemptions"`
	Migrations  figure.Estimate `json:"migrations"`
	Overhead    figure.Estimate `json:"overhead"`
	Classes     []SeedFigures   `json:"classes"` // as of Run
	All         SeedFigures     `json:"all"`
	// Controllers is left out if there are none.
	Controllers *SeedControllers `json:"controllers,omitempty"`
}

// SeedControllers has means over seeds of what is measured of all controllers.
type SeedControllers struct {
	Met          figure.Estimate `json:"met"` // part of them whose SLO was kept
	Availability figure.Estimate `json:"availability"`
}

// SeedFigures has means over seeds of what is measured of a class.
type SeedFigures struct {
	Name         string          `json:"name"`
	Fulfilled    figure.Estimate `json:"fulfilled"` // part of the requests
	Availability figure.Estimate `json:"availability"`
	Deficit      figure.Estimate `json:"deficit"`
	Penalty      figure.Estimate `json:"penalty"`
	Gini         figure.Estimate `json:"gini"`
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

// Complete reports whether there is a host for every request and instance.
func (r *Report) Complete() bool { return r.Workload.AllCanRun() }

// Headline implements [scenario.ReportBody].
func (r *Report) Headline() scenario.Headline {
	if len(r.Policies) == 0 {
		return scenario.Headline{}
	}
	first := &r.Policies[0]
	h := scenario.Headline{Subject: first.Title, Figures: []scenario.Amount{{Thing: "request", Value: float64(first.Run.Requests)}}}
	if mean := float64(first.Run.All.Availability.Mean); !math.IsNaN(mean) {
		h.Figures = append(h.Figures, scenario.Amount{Name: "mean availability", Value: mean})
	}
	return h
}

// gather has of a policy the first seed that there is, and what it came to over all.
var gather = scenario.Bodies[Report, PolicyReport]{
	List: func(r *Report) *[]PolicyReport { return &r.Policies },
	Over: func(_ *Report, first *PolicyReport, all []PolicyReport, _ int) {
		var runs []Run
		for i := range all {
			if run := all[i].Run; !run.Partial {
				runs = append(runs, run)
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
