package qos

import (
	"math"
	"slices"

	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/sim"
	"berth/engine/stats"
)

// Measured is the report of a run. Times are in seconds.
type Measured struct {
	Seed    uint64
	Start   float64 // time of the first arrival
	End     float64 // stopped early, or a run with a later seed was: the figures describe the time before the stop
	Partial bool    `json:"partial,omitempty"` // stopped early, or a run with a later seed was: the figures describe the time before the stop
	Counts
	Migrations int64
	Overhead   float64 // total allocation time Σα
	Hopeless   int

	MeanQueue figure.Number // mean over all passes
	Peak      Units         // maximum concurrent demand of active requests, for each resource
	Missed    Missed

	Classes []ClassFigures // classes with at least one request
	All     ClassFigures
	// Controllers lists the controllers that submitted instances, in order of their first instance.
	// JSON omits an empty list.
	Controllers []ControllerReport `json:"controllers,omitempty"`
	Series      SystemSeries
	// Intervals is the number of recorded intervals of length FairnessEvery. Their contents are not
	// part of the report; see Result.Intervals.
	Intervals int
	Own       plugin.Own `json:"own,omitzero"`
}

// Counts are the event counts of a run.
type Counts struct {
	Requests    int
	Events      int64
	Passes      int64 // passes over a non-empty queue
	Decisions   int64 // allocations of hosts to requests
	Operations  int64 // checks of one host for one request: feasibility and score
	Preemptions int64
}

// Missed classifies the requests that missed their SLO by the cause of their lost time.
type Missed struct {
	Preempted int // lost a host to another request
	NeverRan  int // never ran, without losing a host
	Late      int // ran, but waited too long before

	// Waived is the total penalty, in CPU-hours, that the requests that never ran would cost if
	// their waiting time were charged. Equation 10 charges only run time.
	Waived figure.Number `json:"waived,omitzero"`
}

// ClassFigures has the figures of a class. For all classes together, Name is "all" and SLO is 0.
type ClassFigures struct {
	Name         string
	SLO          float64 `json:"slo,omitempty"`
	Requests     int
	Fulfilled    int
	Availability figure.Quantiles
	Deficit      Deficit
	Penalty      figure.Number // in CPU-hours
	Gini         figure.Number

	// MeanHalfWidth is half the width of the 95 % confidence interval of the mean availability.
	// Deficits has the width for the mean deficit.
	MeanHalfWidth figure.Number
	// Histogram counts availabilities in Bins bins of equal width over [0, 1].
	Histogram []int
	// Deficits are the values of SLO − A of the requests that missed their SLO.
	Deficits    figure.Quantiles
	Preemptions int64
	Migrations  int64
	Overhead    float64
	Ran         float64 // total run time Σe
}

// Class returns the figures of a class by its name, or of all classes for "all". It returns nil if
// the run has no request of the class.
func (m *Measured) Class(name string) *ClassFigures {
	if name == m.All.Name {
		return &m.All
	}
	for i := range m.Classes {
		if m.Classes[i].Name == name {
			return &m.Classes[i]
		}
	}
	return nil
}

// Deficit summarizes SLO − A over the requests that missed their SLO. Both fields are undefined if
// none did.
type Deficit struct {
	Mean figure.Number `json:"mean"`
	Max  figure.Number `json:"max"`
}

// Bins is the number of bins of a histogram of availabilities.
const Bins = 50

// SystemSeries is the state of the system over time (figures 1 and 2). All columns have the same
// length, at most MaxPoints.
type SystemSeries struct {
	Time        []float64
	Queue       []int
	Preemptions []int64        // total since the start
	Classes     []DemandSeries // one series for each class of the report
}

// MaxPoints limits the length of a series. Longer series keep only every second point, every third,
// and so on.
const MaxPoints = 1000

// DemandSeries has the demand of a class's active requests over time, and the allocated part of it.
type DemandSeries struct {
	Name            string
	RequestedCPU    []float64
	RequestedMemory []float64
	AllocatedCPU    []float64
	AllocatedMemory []float64
}

// ControllerReport has the figures of a controller, which counts as one request regardless of its
// number of instances (thesis, 7.2.2). Class figures count each instance.
type ControllerReport struct {
	Name         string  `json:"name"`
	Kind         string  `json:"kind"`
	Class        string  `json:"class"`
	Measure      string  `json:"measure"`
	SLO          float64 `json:"slo"`
	Availability float64 `json:"availability"`
	Met          bool    `json:"met"` // whether the availability is at least the SLO
	Instances    int     `json:"instances"`
	Preemptions  int     `json:"preemptions"`
}

// Percentiles are the reported quantiles of availabilities.
var Percentiles = []figure.Percentile{
	{Name: "min", Label: "least", Title: "least"},
	{Name: "p5", Label: "5 %", Title: "5th percentile", P: 0.05},
	{Name: "p25", P: 0.25},
	{Name: "p50", Label: "median", Title: "median", P: 0.5},
	{Name: "p75", Title: "75th percentile", P: 0.75},
	{Name: "p95", Label: "95 %", Title: "95th percentile", P: 0.95},
	{Name: "max", P: 1},
}

// DeficitPoints are the reported quantiles of deficits.
var DeficitPoints = append(append(slices.Clone(Percentiles[:len(Percentiles)-1]),
	figure.Percentile{Name: "p99", Title: "99th percentile", P: 0.99}), Percentiles[len(Percentiles)-1])

// Report converts the result to a report. Means and quantiles without values are undefined.
func (r *Result) Report() *Measured {
	m := &Measured{
		Start: seconds(r.Start), End: seconds(r.End), Partial: r.Partial, Counts: r.Counts, Hopeless: r.Hopeless, MeanQueue: figure.Number(r.MeanQueue()),
		Peak:    UnitsOf(r.Peak),
		Classes: []ClassFigures{}, Series: newSeries(r), Intervals: len(r.Intervals), Own: r.Own, Controllers: r.Controllers,
	}
	var violations Violations
	var deficits []float64
	all := ClassFigures{Name: "all"}
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Requests == 0 {
			continue
		}
		f := ClassFigures{
			Name: c.Class.Name, SLO: c.Class.SLO, Fulfilled: c.Fulfilled,
			Preemptions: c.Preemptions, Migrations: c.Migrations, Overhead: seconds(c.Overhead), Ran: seconds(c.Run),
		}
		sorted := r.Availabilities(i)
		below := DeficitsOf(sorted, f.SLO)
		f.describe(sorted, below, &c.Violations)
		m.Classes, deficits = append(m.Classes, f), append(deficits, below...)
		violations.add(&c.Violations)
		all.Fulfilled += f.Fulfilled
		all.Preemptions += f.Preemptions
		all.Migrations += f.Migrations
		all.Overhead += f.Overhead
		all.Ran += f.Ran
	}
	all.describe(r.Availabilities(-1), deficits, &violations)
	m.All, m.Migrations, m.Overhead, m.Missed = all, all.Migrations, all.Overhead, violations.Missed
	return m
}

func seconds(t sim.Milliseconds) float64 { return float64(t) / 1000 }

func (v *Violations) add(w *Violations) {
	v.Preempted += w.Preempted
	v.NeverRan += w.NeverRan
	v.Late += w.Late
	v.Waived += w.Waived
	v.Deficit += w.Deficit
	v.Largest = max(v.Largest, w.Largest)
	v.Penalty += w.Penalty
}

// describe computes the figures that depend on the availabilities, given in ascending order, and on
// the deficits.
func (f *ClassFigures) describe(sorted, deficits []float64, v *Violations) {
	f.Requests, f.Availability = len(sorted), figure.QuantilesOf(sorted, Percentiles)
	f.Penalty, f.Gini = figure.Number(v.Penalty), figure.Number(stats.Gini(sorted))
	f.Deficit = Deficit{figure.Undefined, figure.Undefined}
	if missed := v.Preempted + v.NeverRan + v.Late; missed > 0 {
		f.Deficit = Deficit{figure.Number(v.Deficit / float64(missed)), figure.Number(v.Largest)}
	}
	f.MeanHalfWidth = figure.Number(stats.HalfWidth95(sorted))
	f.Histogram = stats.Histogram(sorted, 0, 1, Bins)
	slices.Sort(deficits)
	f.Deficits = figure.SampleOf(deficits, DeficitPoints)
}

// DeficitsOf returns SLO − A for each availability A below the SLO.
func DeficitsOf(sorted []float64, slo float64) []float64 {
	var deficits []float64
	for _, a := range sorted {
		if a < slo {
			deficits = append(deficits, slo-a)
		}
	}
	return deficits
}

// newSeries reduces the recorded snapshots to at most MaxPoints. It always keeps the last one.
func newSeries(result *Result) SystemSeries {
	s := SystemSeries{Time: []float64{}, Queue: []int{}, Preemptions: []int64{}, Classes: []DemandSeries{}}
	var shown []int
	for i := range result.Classes {
		if result.Classes[i].Requests > 0 {
			shown = append(shown, i)
			s.Classes = append(s.Classes, DemandSeries{
				Name: result.Classes[i].Class.Name, RequestedCPU: []float64{}, RequestedMemory: []float64{},
				AllocatedCPU: []float64{}, AllocatedMemory: []float64{},
			})
		}
	}
	points := result.Points
	step := max(1, (len(points)+MaxPoints-2)/(MaxPoints-1))
	for i := range points {
		if i%step == 0 || i == len(points)-1 {
			s.add(&points[i], shown)
		}
	}
	return s
}

// Waiting returns the mean number of waiting requests over time, up to end in seconds, and the
// maximum. Each point is valid until the next one. Both results are NaN without points.
func (s *SystemSeries) Waiting(end float64) (mean, most float64) {
	sum, span := 0.0, 0.0
	for i, n := range s.Queue {
		next := end
		if i+1 < len(s.Time) {
			next = s.Time[i+1]
		}
		sum += float64(float64(n) * (next - s.Time[i]))
		span += next - s.Time[i]
		most = max(most, float64(n))
	}
	if span <= 0 {
		return math.NaN(), math.NaN()
	}
	return sum / span, most
}

func (s *SystemSeries) add(p *Snapshot, shown []int) {
	s.Time = append(s.Time, seconds(p.At))
	s.Queue = append(s.Queue, p.Queue)
	s.Preemptions = append(s.Preemptions, p.Preemptions)
	for k, i := range shown {
		c, d := &s.Classes[k], &p.Classes[i]
		c.RequestedCPU = append(c.RequestedCPU, d.Requested.CPU.Units())
		c.RequestedMemory = append(c.RequestedMemory, d.Requested.Memory.Units())
		c.AllocatedCPU = append(c.AllocatedCPU, d.Allocated.CPU.Units())
		c.AllocatedMemory = append(c.AllocatedMemory, d.Allocated.Memory.Units())
	}
}
