package qos

import (
	"fmt"
	"math"

	"berth/engine/sim"
)

// Order says in numbers what a policy goes by, so that the fast scheduler can keep
// requests and instances sorted instead of asking about each. It decides as Before,
// MayPreempt and VictimBefore do: qostest.Conform compares the two.
//
// Requests and instances have a value. While one waits, and while it is on a host,
// its value changes at a rate that its class fixes.
type Order struct {
	// ByQ makes [State.Q] the value: Value and Rates are not used.
	ByQ bool
	// Value is what it is now; nil: always 0. It goes by the request alone and not by
	// others of its controller.
	Value func(s *State, r Ref) Q
	// Rates are how fast the value of a class changes, in a millisecond; nil: it does not.
	Rates func(c *Class) (waits, runs Q)
	// ByValue puts the smallest value first in each level of the queue; equal ones, and
	// without it all, are in order of admission.
	ByValue bool
	// Class is what else a class fixes, and Against whom its requests may preempt.
	Class   func(c *Class) ClassOrder
	Against func(j, k *Class) Against
	// Protects spares a protected instance unless the request is more important.
	Protects bool
	Ties     Ties // among victims of one place and value
}

// ClassOrder is what a class fixes. Victims of a lower place go first; of one place,
// those with the larger value.
type ClassOrder struct {
	Level     int // in the queue, the lowest first
	Mark      Q   // a value is high from here on, and low below
	High, Low int // places as victims of those whose value is high or low; High ≤ Low
}

// Against says which instances of a class requests of a class may preempt: under
// High, those with a high value, under Low the others.
type Against struct {
	High, Low Rule
	Below     bool // and for Low, only if the value of the request is low as well
}

// Rule says whether a request may preempt an instance.
type Rule uint8

// The rules. Lower and Below need a queue by value.
const (
	Never Rule = iota
	Lower      // if its value is lower
	Always
)

// Ties is an order of victims.
type Ties uint8

// The orders: by a seeded number, and by admission.
const (
	Seeded Ties = iota
	Earliest
	Latest
)

// of returns a number that sorts an instance in that order, with another for
// those that have the same.
func (t Ties) of(k *instance) (tie int64, index uint32) {
	switch t {
	case Earliest:
		return int64(k.admitted), k.index
	case Latest:
		return -int64(k.admitted), ^k.index
	}
	return int64(k.tie), k.index
}

// value returns what the policy compares r by; of a policy without an order that
// may be anything, and Q is a guess.
func (p *Policy) value(s *State, r Ref) Q {
	switch {
	case p.Order == nil || p.Order.ByQ:
		return s.Q(r)
	case p.Order.Value == nil:
		return 0
	}
	return p.Order.Value(s, r)
}

// ordered is a policy with its order for the classes of a run.
type ordered struct {
	*Policy
	classes []classOrder
	against [][]Against // by class of the request, then of the instance
	// A request with a value lower by slow may have its turn a millisecond sooner; if
	// brittle, at any time.
	slow    Q
	brittle bool
	// narrows says that a request that may not preempt one of the victims of a request of
	// its class with a lower value may preempt none that come after that one either.
	narrows bool
}

type classOrder struct {
	ClassOrder
	waits, runs Q
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

// check finds what an order must not have.
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

// slowest returns the lowest rate at which what a request of a class waits for comes.
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

// band is the instances of a class with a high value, or with a low one.
type band struct {
	place       int
	rule        Rule
	mark        Q
	high, below bool
}

// bands lists those that requests of a class may preempt.
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

// narrowsFor looks at each band, and whether a request that is no longer below a victim
// of it, or no longer low, is out of luck with all behind that victim.
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

// first returns the first time t, in milliseconds, with gap + t·rate > 0 from then on,
// or 0 if that is so now and may end.
func first(gap, rate Q, now sim.Milliseconds) sim.Milliseconds {
	switch {
	case rate > 0 && gap > 0, rate <= 0 && gap+rate*Q(now) > 0:
		return 0
	case rate > 0:
		return sim.Milliseconds(-gap/rate) + 1
	}
	return never
}

// lowest is a place or a level before all others.
const lowest = math.MinInt
