package qos

import (
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/figure"
	"berth/engine/sim"
	"berth/engine/stats"
)

// Snapshot is the state of the system at one moment (figures 1 and 2).
type Snapshot struct {
	At          sim.Milliseconds
	Queue       int
	Preemptions int64 // total since the start
	Classes     []Demand
}

// Demand is the demand of active requests and the allocated part of it.
type Demand struct{ Requested, Allocated cluster.Resources }

// Interval has the fairness by class among the requests active in an interval (figure
// 9). Availabilities are cumulative from admission to the end of the interval or to
// completion.
type Interval struct {
	End     sim.Milliseconds
	Classes []Fairness
}

// Fairness summarises the availabilities of a class; Min and Gini are NaN if it has
// no requests.
type Fairness struct {
	Requests, Fulfilled int
	Min, Gini           float64
}

// maxPoints is the length at which a series drops every other point and doubles the
// time between points.
const maxPoints = 1 << 14

// sameIntervals is the number of intervals after which the length of an interval doubles. This
// keeps their number small even in the longest run.
const sameIntervals = 1 << 14

// recorder records the time series of a run: the demand, once in every period of length every, and
// fairness intervals of length fairEvery with the availabilities of the requests that complete in
// them.
type recorder struct {
	of               *system
	every, fairEvery sim.Milliseconds
	next, fairNext   sim.Milliseconds
	demand           []Demand
	requested        cluster.Resources // total of all classes
	completed        [][]uint32        // availabilities of requests completed in this interval, by class
}

func newRecorder(s *system) *recorder {
	return &recorder{
		of: s, every: s.config.PointEvery, fairEvery: s.config.FairnessEvery, next: never, fairNext: never,
		demand: make([]Demand, len(s.constants)), completed: make([][]uint32, len(s.constants)),
	}
}

// came adds a request to the demand of the active ones and updates the peak.
func (r *recorder) came(k *instance) {
	r.demand[k.class].Requested.Add(&k.asks)
	r.requested.Add(&k.asks)
	r.of.result.Peak.Raise(&r.requested)
}

// went subtracts a request from the demand of the active ones.
func (r *recorder) went(k *instance) {
	r.demand[k.class].Requested.Sub(&k.asks)
	r.requested.Sub(&k.asks)
}

func (r *recorder) start(at sim.Milliseconds) {
	if r.every > 0 {
		r.next = at
	}
	if r.fairEvery > 0 {
		r.fairNext = at + r.fairEvery
	}
}

// until records all points and intervals before time t. Call it before handling the
// events at t.
func (r *recorder) until(t sim.Milliseconds) {
	for r.next < t {
		r.point()
	}
	for r.fairNext < t {
		r.interval()
	}
}

func (r *recorder) point() {
	points := &r.of.result.Points
	*points = append(*points, Snapshot{r.next, r.of.waiting(), r.of.result.Preemptions, slices.Clone(r.demand)})
	if len(*points) == maxPoints {
		for i := range maxPoints / 2 {
			(*points)[i] = (*points)[2*i]
		}
		*points = (*points)[:maxPoints/2]
		r.every *= 2
	}
	r.next = (*points)[len(*points)-1].At + r.every
}

func (r *recorder) interval() {
	now := r.of.now
	r.of.now = r.fairNext
	values := r.completed
	for _, ref := range r.of.unfinished() {
		k := &r.of.instances[ref]
		run := r.of.Run(ref)
		a := availability(run, r.of.now-k.admitted-run-k.lost)
		values[k.class] = append(values[k.class], toParts(a))
	}
	in := Interval{End: r.of.now}
	for c := range values {
		in.Classes = append(in.Classes, fairness(stats.Sorted(values[c], AvailabilityUnit), r.of.config.Classes[c].SLO))
		values[c] = values[c][:0]
	}
	r.of.result.Intervals = append(r.of.result.Intervals, in)
	if len(r.of.result.Intervals)%sameIntervals == 0 {
		r.fairEvery *= 2
	}
	r.of.now, r.fairNext = now, r.fairNext+r.fairEvery
}

func fairness(sorted []float64, slo float64) Fairness {
	f := Fairness{Requests: len(sorted), Min: math.NaN(), Gini: stats.Gini(sorted)}
	for _, a := range sorted {
		if a >= slo {
			f.Fulfilled++
		}
	}
	if len(sorted) > 0 {
		f.Min = sorted[0]
	}
	return f
}

// finished records a request that completes in the current interval.
func (r *recorder) finished(o *Outcome) {
	if r.fairEvery > 0 && o.Completed {
		r.completed[o.Class] = append(r.completed[o.Class], toParts(o.Availability))
	}
}

// Level is the level of contention in an interval (section 5.3).
type Level uint8

// The levels, by the result of the priority-based scheduler.
const (
	NoContention     Level = iota // every availability is 1
	LowContention                 // all SLOs are met
	MediumContention              // only SLOs of the least important class are violated
	HighContention
)

var levels = [...]string{"none", "low", "medium", "high"}

// String returns the name of the level.
func (l Level) String() string { return levels[l] }

// Contention returns the level of an interval of the priority-based run.
func Contention(in *Interval, classes []Class) Level {
	least := 0
	for i := range classes {
		least = max(least, classes[i].Importance)
	}
	level := NoContention
	for i, f := range in.Classes {
		switch {
		case f.Fulfilled < f.Requests && classes[i].Importance < least:
			return HighContention
		case f.Fulfilled < f.Requests:
			level = MediumContention
		case f.Requests > 0 && f.Min < 1:
			level = max(level, LowContention)
		}
	}
	return level
}

// LevelFairness has the three metrics of figure 9 for a class, over all intervals of a level in
// which the class had requests.
type LevelFairness struct {
	Level      string // none, low, medium or high
	Class      string
	Min        figure.Estimate // lowest availability
	Fulfilment figure.Estimate // fraction of the requests that met their SLO
	Unfairness figure.Estimate // Gini coefficient
}

// ByLevel groups the intervals of a run by the contention of the same intervals in the
// priority-based run. It ignores intervals that one of the runs lacks.
func ByLevel(run, priority []Interval, classes []Class) []LevelFairness {
	out := []LevelFairness{}
	for level := NoContention; level <= HighContention; level++ {
		for c := range classes {
			var least, fulfilled, gini []float64
			for i := range min(len(run), len(priority)) {
				f := &run[i].Classes[c]
				if f.Requests == 0 || Contention(&priority[i], classes) != level {
					continue
				}
				least = append(least, f.Min)
				fulfilled = append(fulfilled, float64(f.Fulfilled)/float64(f.Requests))
				gini = append(gini, f.Gini)
			}
			if len(least) > 0 {
				out = append(out, LevelFairness{level.String(), classes[c].Name, figure.EstimateOf(least), figure.EstimateOf(fulfilled), figure.EstimateOf(gini)})
			}
		}
	}
	return out
}

// Quadrants are the quadrants of the paired heat map of figure 6: the fractions of
// requests whose SLO was met with both policies, only the first, only the second, and
// neither.
type Quadrants struct {
	Both    float64
	First   float64
	Second  float64
	Neither float64
}

// HeatBins is the number of bins of the paired heat map along each axis.
const HeatBins = 20

// Compare pairs two runs of the same workload by request. bins is a histogram of the availabilities
// of a class, or of all requests if class is negative: the row is the bin of the second run, the
// column the bin of the first.
func Compare(first, second *Result, class int) (q Quadrants, bins [][]int) {
	bins = make([][]int, HeatBins)
	for i := range bins {
		bins[i] = make([]int, HeatBins)
	}
	total := 0.0
	for i := range min(len(first.availability), len(second.availability)) {
		a, c := first.Availability(i)
		b, _ := second.Availability(i)
		if class >= 0 && c != class {
			continue
		}
		total++
		slo := first.Classes[c].Class.SLO
		switch {
		case a >= slo && b >= slo:
			q.Both++
		case a >= slo:
			q.First++
		case b >= slo:
			q.Second++
		default:
			q.Neither++
		}
		bins[min(int(b*HeatBins), HeatBins-1)][min(int(a*HeatBins), HeatBins-1)]++
	}
	if total > 0 {
		q = Quadrants{q.Both / total, q.First / total, q.Second / total, q.Neither / total}
	}
	return q, bins
}
