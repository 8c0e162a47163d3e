package qos

import (
	"slices"

	"berth/engine/plugin"
	"berth/engine/sim"
	"berth/engine/stats"
)

// Result is what a run comes to.
type Result struct {
	Policy     string
	Start, End sim.Milliseconds
	Partial    bool // stopped before its end
	Counts
	Hopeless    int           // requests that fit no host even if it is empty
	Own         plugin.Own    // of the policy
	Classes     []ClassResult // of all classes, with requests or without
	PeakGPUs    int           // as above
	Peak        Demand        // the most that active requests asked for at one time, of each resource
	Points      []Point
	Intervals   []Interval
	Controllers []ControllerReport // by first request, if there are controllers

	availability []uint32 // by index of arrival, in parts of AvailabilityUnit
	class        []uint8
	unpaired     []uint32 // by index of arrival: requests whose index depends on the run
	queued       int64    // Σ of the lengths of the queue over all passes
}

// ClassResult has the figures of a class.
type ClassResult struct {
	Class       Class
	Requests    int
	Fulfilled   int // A ≥ SLO
	Preemptions int64
	Migrations  int64
	Overhead    sim.Milliseconds // Σα over all allocations
	Run         sim.Milliseconds // Σe
	Violations  Violations
}

// Violations sums up the requests whose SLO was not kept.
type Violations struct {
	Number           int
	Preempted        int     // of these, that lost a host to another
	NeverRan         int     // of the others, that never did
	Deficit, Largest float64 // Σ(SLO − A) and its largest term
	Penalty          float64 // in CPU-hours (Eq. 11)
	Waived           float64 // what those that never ran would owe, were they charged for the time that they waited
}

// AvailabilityUnit makes 4 bytes of an availability. Decimal fractions with up
// to nine places are exact.
const AvailabilityUnit = 4e9

// toParts rounds an availability to parts of AvailabilityUnit.
func toParts(a float64) uint32 { return uint32(float64(a*AvailabilityUnit) + 0.5) }

func newResult(c *Config) *Result {
	r := &Result{Policy: c.Policy.Name, Classes: make([]ClassResult, len(c.Classes))}
	for i := range r.Classes {
		r.Classes[i].Class = c.Classes[i]
	}
	return r
}

// reserve makes room for n requests.
func (r *Result) reserve(n int) {
	r.availability, r.class = slices.Grow(r.availability, n), slices.Grow(r.class, n)
}

func (r *Result) admitted(class uint8) {
	r.class = append(r.class, class)
	r.availability = append(r.availability, 0)
	r.Classes[class].Requests++
}

// finished counts an outcome and puts its penalty into it.
func (r *Result) finished(o *Outcome, k *instance) {
	r.availability[o.Index] = toParts(o.Availability)
	c := &r.Classes[o.Class]
	c.Run += o.Run
	if o.Availability >= c.Class.SLO {
		c.Fulfilled++
		return
	}
	deficit := c.Class.SLO - o.Availability
	c.Violations.Number++
	switch {
	case o.Preemptions > 0:
		c.Violations.Preempted++
	case o.Run == 0 && !o.Completed: // one of no duration has run once it has ended
		c.Violations.NeverRan++
		c.Violations.Waived += penalty(&c.Class, o.Availability, o.Pending, k.cpu.Units())
	}
	c.Violations.Deficit += deficit
	c.Violations.Largest = max(c.Violations.Largest, deficit)
	o.Penalty = penalty(&c.Class, o.Availability, o.Run, k.cpu.Units())
	c.Violations.Penalty += o.Penalty
}

// penalty returns P = C·(1+b) with C = D·d·c (Eq. 10 and 11): deficit, hours
// that are charged, which are those run, and CPU.
func penalty(c *Class, availability float64, charged sim.Milliseconds, cpu float64) float64 {
	hours := float64(charged) / float64(sim.Hour)
	return float64((c.SLO - availability) * hours * cpu * (1 + c.credit(availability)))
}

// Availability returns the availability of each request in order of arrival,
// rounded to 2.5e-10, and its class.
func (r *Result) Availability(index int) (a float64, class int) {
	return float64(r.availability[index]) / AvailabilityUnit, int(r.class[index])
}

// Arrays returns the availability of each request in order of arrival, in parts
// of AvailabilityUnit, and its class. They must not be changed. Instances of
// StatefulSets and of Jobs that come one after the other are left out: they come
// when the policy lets them, and the place of a request in the arrays is the
// same with every policy.
func (r *Result) Arrays() (availability []uint32, class []uint8) {
	if len(r.unpaired) == 0 {
		return r.availability, r.class
	}
	left := r.unpaired
	for i := range r.class {
		if len(left) > 0 && left[0] == uint32(i) {
			left = left[1:]
			continue
		}
		availability, class = append(availability, r.availability[i]), append(class, r.class[i])
	}
	return availability, class
}

// FromArrays returns a result that knows only availabilities and classes, as Arrays
// gives them: enough for [Compare].
func FromArrays(classes []Class, availability []uint32, class []uint8) *Result {
	r := newResult(&Config{Classes: classes})
	r.Requests, r.availability, r.class = len(availability), availability, class
	return r
}

// Availabilities returns those of a class, or of all if class is negative, in
// ascending order.
func (r *Result) Availabilities(class int) []float64 {
	return stats.Sorted(r.values(class), AvailabilityUnit)
}

func (r *Result) values(class int) []uint32 {
	var all []uint32
	if class < 0 {
		return append(all, r.availability...)
	}
	for i, c := range r.class {
		if int(c) == class {
			all = append(all, r.availability[i])
		}
	}
	return all
}

// MeanQueue returns the mean length of the queue over all passes, NaN without
// any.
func (r *Result) MeanQueue() float64 { return float64(r.queued) / float64(r.Passes) }
