package qos

import (
	"berth/engine/cluster"
	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/sim"
	"berth/engine/stats"
)

// Result has the figures of one run of a policy with one seed.
type Result struct {
	Policy     string
	Start, End sim.Milliseconds
	Partial    bool // the run was stopped early
	Counts
	Hopeless    int               // number of requests that fit on no host, even an empty one
	Own         plugin.Own        // counts and notes of the policy
	Classes     []ClassResult     // all classes, including those without requests
	Peak        cluster.Resources // maximum concurrent demand of active requests, for each resource
	Points      []Snapshot
	Intervals   []Interval
	Controllers []ControllerReport // in order of their first requests; nil without controllers

	availability []uint32 // by order of arrival, in units of 1/AvailabilityUnit
	class        []uint8
	unpaired     []uint32 // ascending indexes of the requests that may have another index in another run
	queued       int64    // sum of queue lengths over all passes
}

// ClassResult has the figures of a class.
type ClassResult struct {
	Class       Class
	Requests    int
	Fulfilled   int // requests with A ≥ SLO
	Preemptions int64
	Migrations  int64
	Overhead    sim.Milliseconds // Σα over all allocations
	Run         sim.Milliseconds // Σe
	Violations  Violations
}

// Violations summarises the requests whose SLO was violated.
type Violations struct {
	Missed
	Deficit, Largest float64 // Σ(SLO − A) and its largest term
	Penalty          float64 // in CPU-hours (Eq. 11)
}

// AvailabilityUnit is the number of units of an availability stored in 4 bytes.
// Decimal fractions with up to nine digits are exact.
const AvailabilityUnit = 4e9

func toParts(a float64) uint32 { return uint32(float64(a*AvailabilityUnit) + 0.5) }

func newResult(c *Config) *Result {
	r := &Result{Policy: c.Policy.Name, Classes: make([]ClassResult, len(c.Classes))}
	for i := range r.Classes {
		r.Classes[i].Class = c.Classes[i]
	}
	return r
}

func (r *Result) admitted(class uint8) {
	r.class = append(r.class, class)
	r.availability = append(r.availability, 0)
	r.Classes[class].Requests++
}

// finished records an outcome and sets its penalty.
func (r *Result) finished(o *Outcome, k *instance) {
	r.availability[o.Index] = toParts(o.Availability)
	c := &r.Classes[o.Class]
	c.Run += o.Run
	if o.Availability >= c.Class.SLO {
		c.Fulfilled++
		return
	}
	deficit := c.Class.SLO - o.Availability
	switch {
	case o.Preemptions > 0:
		c.Violations.Preempted++
	case o.Run == 0 && !o.Completed: // a request with duration 0 has run once it has completed
		c.Violations.NeverRan++
		c.Violations.Waived += figure.Number(penalty(&c.Class, o.Availability, o.Pending, k.asks.CPU.Units()))
	default:
		c.Violations.Late++
	}
	c.Violations.Deficit += deficit
	c.Violations.Largest = max(c.Violations.Largest, deficit)
	o.Penalty = penalty(&c.Class, o.Availability, o.Run, k.asks.CPU.Units())
	c.Violations.Penalty += o.Penalty
}

// penalty returns P = C·(1+b) with C = D·d·c, in CPU-hours (Eq. 10 and 11): D is the
// deficit, d the charged time in hours, usually the run time, and c the requested
// CPU.
func penalty(c *Class, availability float64, charged sim.Milliseconds, cpu float64) float64 {
	hours := float64(charged) / float64(sim.Hour)
	return float64((c.SLO - availability) * hours * cpu * (1 + c.credit(availability)))
}

// Availability returns the availability, rounded to 2.5e-10, and the class of a
// request by order of arrival.
func (r *Result) Availability(index int) (a float64, class int) {
	return float64(r.availability[index]) / AvailabilityUnit, int(r.class[index])
}

// Arrays returns the availabilities, in units of 1/AvailabilityUnit, and the classes of requests in
// order of arrival. The caller must not change them. They omit instances of StatefulSets and of
// Jobs with limited parallelism, whose arrival depends on the policy, so that a position denotes
// the same request under every policy.
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

// FromArrays returns a result that has only the availabilities and classes from
// Arrays. It is sufficient for [Compare].
func FromArrays(classes []Class, availability []uint32, class []uint8) *Result {
	r := newResult(&Config{Classes: classes})
	r.Requests, r.availability, r.class = len(availability), availability, class
	return r
}

// Availabilities returns the ascending availabilities of a class, or of all requests
// if class is negative.
func (r *Result) Availabilities(class int) []float64 {
	var all []uint32
	for i, c := range r.class {
		if class < 0 || int(c) == class {
			all = append(all, r.availability[i])
		}
	}
	return stats.Sorted(all, AvailabilityUnit)
}

// MeanQueue returns the mean queue length over all passes, or NaN without passes.
func (r *Result) MeanQueue() float64 { return float64(r.queued) / float64(r.Passes) }
