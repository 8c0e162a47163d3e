package qos_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/golden"
	"berth/engine/qos"
	"berth/engine/qos/qostest"
	"berth/engine/sim"
)

// randomOrder is an invented policy. It has an Order, and functions that make the same decisions
// without the index.
type randomOrder struct {
	qos.Order
	classes     []qos.ClassOrder
	against     [4][4]qos.Against
	waits, runs [4]qos.Q
	perUnit     qos.Q
}

func newRandomOrder(seed uint64) *randomOrder {
	r := sim.NewRandom(seed, 103)
	one := func(all ...qos.Q) qos.Q { return all[r.IntN(len(all))] }
	o := &randomOrder{Order: qos.Order{ByQ: r.IntN(4) == 0, ByValue: r.IntN(4) > 0, Protects: r.IntN(3) == 0, Ties: qos.Ties(r.IntN(3))}}
	o.perUnit = one(0, 0, 1, -7) * 1000
	sameMark := r.IntN(2) == 0
	steady := r.IntN(4) == 0
	for i := range o.against {
		mark := one(0, 10_000, 30_000, 60_000, -20_000)
		if o.ByQ {
			mark *= qos.Millisecond
		}
		if sameMark && i > 0 {
			mark = o.classes[0].Mark
		}
		high := r.IntN(4)
		o.classes = append(o.classes, qos.ClassOrder{Level: r.IntN(3), Mark: mark, High: high, Low: high + r.IntN(3)})
		if !steady {
			o.waits[i], o.runs[i] = one(0, 0, 1, -1, -1, -1, 3), one(1, 1, 0, 2, -1)
		}
		for k := range o.against[i] {
			a := qos.Against{High: qos.Permission(r.IntN(3)), Low: qos.Permission(r.IntN(3)), Below: r.IntN(2) == 0}
			if !o.ByValue {
				a = qos.Against{High: qos.Permission(2 * r.IntN(2)), Low: qos.Permission(2 * r.IntN(2))}
			}
			o.against[i][k] = a
		}
	}
	o.Class = func(c *qos.Class) qos.ClassOrder { return o.classes[number(c)] }
	o.Against = func(j, k *qos.Class) qos.Against { return o.against[number(j)][number(k)] }
	if !o.ByQ {
		o.Value = o.value
		if !steady {
			o.Rates = func(c *qos.Class) (waits, runs qos.Q) {
				i := number(c)
				return o.waits[i], o.waits[i] + o.runs[i]
			}
		}
	}
	return o
}

// number returns the number of a class of [qostest.Random].
func number(c *qos.Class) int { return int(c.Name[len("class")] - '0') }

func (o *randomOrder) value(s *qos.State, r qos.Ref) qos.Q {
	i := s.Class(r)
	return o.waits[i]*qos.Q(s.Age(r)) + o.runs[i]*qos.Q(s.Elapsed(r)) + o.perUnit*qos.Q(s.Asks(r).CPU/cluster.Unit)
}

func (o *randomOrder) now(s *qos.State, r qos.Ref) qos.Q {
	if o.ByQ {
		return s.Q(r)
	}
	return o.value(s, r)
}

func (o *randomOrder) high(s *qos.State, r qos.Ref) bool {
	return o.now(s, r) >= o.classes[s.Class(r)].Mark
}

func (o *randomOrder) before(s *qos.State, a, b qos.Ref) bool {
	order := cmp.Compare(o.classes[s.Class(a)].Level, o.classes[s.Class(b)].Level)
	if order == 0 && o.ByValue {
		order = cmp.Compare(o.now(s, a), o.now(s, b))
	}
	return order < 0 || order == 0 && s.AdmittedBefore(a, b)
}

func (o *randomOrder) mayPreempt(s *qos.State, j, k qos.Ref) bool {
	if o.Protects && s.Importance(j) >= s.Importance(k) && s.Protected(k) {
		return false
	}
	a := o.against[s.Class(j)][s.Class(k)]
	rule := a.High
	if !o.high(s, k) {
		if rule = a.Low; a.Below && o.high(s, j) {
			return false
		}
	}
	return rule == qos.Always || rule == qos.Lower && o.now(s, j) < o.now(s, k)
}

func (o *randomOrder) place(s *qos.State, r qos.Ref) int {
	if o.high(s, r) {
		return o.classes[s.Class(r)].High
	}
	return o.classes[s.Class(r)].Low
}

func (o *randomOrder) victimBefore(s *qos.State, a, b qos.Ref) bool {
	order := cmp.Or(cmp.Compare(o.place(s, a), o.place(s, b)), cmp.Compare(o.now(s, b), o.now(s, a)))
	switch {
	case order != 0:
		return order < 0
	case o.Ties == qos.Earliest:
		return s.AdmittedBefore(a, b)
	case o.Ties == qos.Latest:
		return s.AdmittedBefore(b, a)
	}
	return s.TieBefore(a, b)
}

func (o *randomOrder) policy(watchdog bool) qos.Policy {
	cost := qos.QoSDriven()
	return qos.Policy{
		Name: "made up", Watchdog: watchdog, Before: o.before, MayPreempt: o.mayPreempt, VictimBefore: o.victimBefore,
		Cost: cost.Cost, Terms: cost.Terms, Kept: cost.Kept, Score: cluster.Score, Order: &o.Order,
	}
}

// ending returns the scenario with an end, because under some orders two requests take each other's
// host forever; without overheads, even at one time.
func ending(s *qostest.Scenario) *qostest.Scenario {
	e := *s
	e.Config.HotSet = slices.Clone(s.Config.HotSet)
	for i := range e.Config.HotSet {
		e.Config.HotSet[i] = max(1, e.Config.HotSet[i])
	}
	e.Config.ColdSet, e.Config.Horizon = e.Config.HotSet, cmp.Or(s.Config.Horizon, 300*sim.Second)
	return &e
}

// The fast and the literal scheduler make the same decisions for any Order.
func TestSchedulersAgreeAboutAnyOrder(t *testing.T) {
	preemptions := 0
	for _, seed := range golden.Seeds(600) {
		policy := newRandomOrder(seed).policy(seed%2 == 0)
		s := qostest.Random(seed)
		switch seed % 5 {
		case 3:
			s = s.Odd()
		case 4:
			s = s.WithGPUs()
		}
		preemptions += qostest.ConformOn(t, policy, ending(s))
	}
	if preemptions < 10_000 && !testing.Short() {
		t.Errorf("%d preemptions: too few to tell anything", preemptions)
	}
}

func TestOrdersAreChecked(t *testing.T) {
	class := func(*qos.Class) qos.ClassOrder { return qos.ClassOrder{} }
	lower := func(_, _ *qos.Class) qos.Against { return qos.Against{Low: qos.Lower} }
	for _, test := range []struct {
		order qos.Order
		want  string
	}{
		{qos.Order{Class: class}, "lacks one of its functions"},
		{qos.Order{Class: class, Against: lower}, "its queue is not by value: set ByValue"},
		{qos.Order{Class: func(*qos.Class) qos.ClassOrder { return qos.ClassOrder{High: 1} }, Against: lower, ByValue: true}, "High must not be above Low"},
	} {
		s := qostest.Random(1)
		s.Config.Policy = qos.PriorityBased()
		s.Config.Policy.Order = &test.order
		if _, err := qos.Run(t.Context(), s.Input(), s.Config); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}
