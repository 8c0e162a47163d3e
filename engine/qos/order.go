package qos

import (
	"fmt"
	"math"

	"berth/engine/sim"
)

// Order describes the comparisons of a policy in numbers, so that the fast scheduler
// can keep requests and instances sorted instead of calling the policy for each pair.
// It must decide as Before, MayPreempt and VictimBefore do; qostest.Conform checks
// that.
//
// Each request or instance has a value that changes linearly with time, at one rate
// while it waits and another while it is on a host. The rates depend on the class
// only.
type Order struct {
	// ByQ makes [State.Q] the value, and Value and Rates unused.
	ByQ bool
	// Value returns the current value; nil: always 0. It must depend on the request
	// alone, not on other instances of its controller.
	Value func(s *State, r Ref) Q
	// Rates returns the change of value per millisecond, waiting and on a host; nil:
	// 0.
	Rates func(c *Class) (waits, runs Q)
	// ByValue puts the smallest value first in each level of the queue. Equal values,
	// and without ByValue all requests, are in order of admission.
	ByValue bool
	// Class returns the other parameters of a class, Against which instances of class
	// k requests of class j may preempt.
	Class   func(c *Class) ClassOrder
	Against func(j, k *Class) Against
	// Protects excludes protected instances unless the request is more important.
	Protects bool
	Ties     Ties // order of victims with equal place and value
}

// ClassOrder has the parameters of a class. Victims with a lower place are preempted first and,
// within a place, victims with a larger value.
type ClassOrder struct {
	Level     int // queue level, lowest first
	Mark      Q   // lowest high value
	High, Low int // places of instances with a high and a low value among the victims; High ≤ Low
}

// Against says which instances of one class requests of another may preempt: High
// applies to instances with a high value, Low to the others.
type Against struct {
	High, Low Permission
	Below     bool // Low applies only if the value of the request is low in its own class, too
}

// Permission is a condition under which a request may preempt an instance.
type Permission uint8

// The rules. Lower and Against.Below require ByValue.
const (
	Never Permission = iota
	Lower            // if the request's value is lower than the instance's
	Always
)

// Ties is an order of victims with equal place and value.
type Ties uint8

// The orders: by a seeded number, by admission, and by admission latest first.
const (
	Seeded Ties = iota
	Earliest
	Latest
)

// of returns the sort keys of an instance: tie, then index.
func (t Ties) of(k *instance) (tie int64, index uint32) {
	switch t {
	case Earliest:
		return int64(k.admitted), k.index
	case Latest:
		return -int64(k.admitted), ^k.index
	}
	return int64(k.tie), k.index
}

// value returns the value of r in the policy's comparisons. For a policy without an
// order the value is unknown, and Q is a guess.
func (p *Policy) value(s *State, r Ref) Q {
	switch {
	case p.Order == nil || p.Order.ByQ:
		return s.Q(r)
	case p.Order.Value == nil:
		return 0
	}
	return p.Order.Value(s, r)
}

// ordered is a policy with its order, tabulated for the classes of a run.
type ordered struct {
	*Policy
	classes []classOrder
	against [][]Against // by class of the request, then of the instance
	// slow is a rate of value per millisecond: a request whose value is lower by slow gets its turn
	// at most one millisecond sooner. If brittle, no such rate exists.
	slow    Q
	brittle bool
	// narrows guarantees for any two requests of a class: if the one with the larger
	// value may not preempt some victim of the other, it may not preempt any later
	// victim either.
	narrows bool
}

type classOrder struct {
	ClassOrder
	waits, runs Q
}

// place returns the place of instances with a high or a low value among the victims.
func (c *classOrder) place(high bool) int {
	if high {
		return c.High
	}
	return c.Low
}

func (p *Policy) ordered(classes []Class) *ordered {
	o := &ordered{Policy: p, slow: partsPerMillisecond, narrows: true}
	for i := range classes {
		c := classOrder{ClassOrder: p.Order.Class(&classes[i])}
		switch {
		case p.Order.ByQ:
			c.waits, c.runs = -partsPerMillisecond, toQ(1/classes[i].SLO)-partsPerMillisecond
		case p.Order.Rates != nil:
			c.waits, c.runs = p.Order.Rates(&classes[i])
		}
		o.classes = append(o.classes, c)
		var against []Against
		for k := range classes {
			against = append(against, p.Order.Against(&classes[i], &classes[k]))
		}
		o.against = append(o.against, against)
	}
	for j := range classes {
		o.slow = min(o.slow, o.slowest(j))
		o.narrows = o.narrows && o.narrowsFor(j)
	}
	o.brittle, o.slow = o.slow <= 0, max(o.slow, 1)
	return o
}

// check rejects orders that the fast scheduler cannot use.
func (o *ordered) check() error {
	for j, all := range o.against {
		if o.classes[j].High > o.classes[j].Low {
			return fmt.Errorf("the order of the policy %q has a high value at place %d, behind a low one at %d: High must not be above Low", o.Name, o.classes[j].High, o.classes[j].Low)
		}
		for _, a := range all {
			if !o.Order.ByValue && (a.High == Lower || a.Low == Lower || a.Below) {
				return fmt.Errorf("the order of the policy %q compares the value of requests, but its queue is not by value: set ByValue", o.Name)
			}
		}
	}
	return nil
}

// slowest returns the lowest rate, in value per millisecond, at which a gap closes that keeps
// requests of class j from preempting.
func (o *ordered) slowest(j int) Q {
	slow, waits := Q(partsPerMillisecond), o.classes[j].waits
	for k, a := range o.against[j] {
		if a.High == Lower || a.Low == Lower {
			slow = min(slow, o.classes[k].runs-waits)
		}
		if a.Below {
			slow = min(slow, -waits)
		}
	}
	return slow
}

// band is the set of instances of a class with a high value, or with a low value.
type band struct {
	place       int
	rule        Permission
	mark        Q
	high, below bool
}

// bands returns the bands that requests of class j may preempt.
func (o *ordered) bands(j int) []band {
	var all []band
	for k, a := range o.against[j] {
		c := &o.classes[k]
		if a.High != Never {
			all = append(all, band{c.High, a.High, c.Mark, true, false})
		}
		if a.Low != Never {
			all = append(all, band{c.Low, a.Low, c.Mark, false, a.Below})
		}
	}
	return all
}

// narrowsFor reports whether narrows holds for class j. A request may no longer preempt a victim in
// some band if its value is not lower, or is no longer low. It then must not be able to preempt any
// later victim.
func (o *ordered) narrowsFor(j int) bool {
	bands := o.bands(j)
	for _, a := range bands {
		for _, b := range bands {
			if b.place < a.place {
				continue
			}
			alike := b.place == a.place && b.rule == Lower
			noLongerLow := a.high && b.below && a.mark >= o.classes[j].Mark
			if a.rule == Lower && !alike && !noLongerLow || a.below && !b.below {
				return false
			}
		}
	}
	return true
}

// first returns the first time t in milliseconds from which gap + t·rate > 0 always holds. It
// returns 0 if the inequality holds now but may end, and never if it does not hold and never will.
func first(gap, rate Q, now sim.Milliseconds) sim.Milliseconds {
	switch {
	case rate > 0 && gap > 0, rate <= 0 && gap+rate*Q(now) > 0:
		return 0
	case rate > 0:
		return sim.Milliseconds(-gap/rate) + 1
	}
	return never
}

// lowest is a place or level below all others.
const lowest = math.MinInt
