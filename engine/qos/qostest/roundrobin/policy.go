// Package roundrobin is a policy outside of package qos, for tests and as a template. Waiting
// requests may preempt an instance that has run for a quantum. The policy has an order, so the fast
// scheduler can run it.
package roundrobin

import (
	"fmt"

	"berth/engine/cluster"
	"berth/engine/parameter"
	"berth/engine/plugin"
	"berth/engine/qos"
	"berth/engine/sim"
)

// Plugin is registered with [qos.Register]. A built-in policy would be a line in policies.go
// instead.
var Plugin = qos.Plugin{
	Name: "round-robin", Title: "round robin", Description: "an instance that has run for a quantum makes room for those that wait",
	Parameters: []parameter.Parameter{{Name: "quantum", Title: "quantum", Unit: "s", Low: 1, High: 86400, Default: 60}},
	New: func(v parameter.Values) qos.Policy {
		q := quantum(v["quantum"] * float64(sim.Second))
		return qos.Policy{
			Name:   "round-robin",
			Before: (*qos.State).AdmittedBefore, MayPreempt: q.mayPreempt, VictimBefore: longestFirst,
			Cost: leastRun, Terms: terms, Kept: q.kept, Score: cluster.Score,
			Order: &qos.Order{Value: ran, Rates: whileRunning, Class: q.divided, Against: afterQuantum, Ties: qos.Earliest},
			Tell:  q.record,
		}
	},
}

type quantum sim.Milliseconds

func (q quantum) mayPreempt(s *qos.State, _, k qos.Ref) bool { return quantum(s.Elapsed(k)) >= q }

// ran is the value of the order: the run time of an instance. The quantum is the mark, because any
// request may preempt an instance whose value has reached it.
func ran(s *qos.State, r qos.Ref) qos.Q { return qos.Q(s.Elapsed(r)) }

func whileRunning(*qos.Class) (waits, runs qos.Q) { return 0, 1 }

func (q quantum) divided(*qos.Class) qos.ClassOrder { return qos.ClassOrder{Mark: qos.Q(q)} }

func afterQuantum(_, _ *qos.Class) qos.Against { return qos.Against{High: qos.Always} }

// record counts completed quanta, which Berth does not measure itself, and notes overruns.
func (q quantum) record(s *qos.State, _ qos.Ref, victims []qos.Victim, own *plugin.Own) {
	for i := range victims {
		own.Count("quanta that ended", 1)
		if quantum(s.Elapsed(victims[i].Ref)) > q {
			own.Note("some ran for longer than their quantum, until another could take the place")
		}
	}
}

// kept returns the reason why mayPreempt keeps k.
func (q quantum) kept(s *qos.State, _, k qos.Ref) fmt.Stringer { return withinQuantum{s.Elapsed(k), q} }

// withinQuantum is the reason to keep an instance that is within its quantum.
type withinQuantum struct {
	elapsed sim.Milliseconds
	of      quantum
}

func (w withinQuantum) String() string {
	return fmt.Sprintf("it has run for %v s of its quantum of %v s", seconds(w.elapsed), seconds(sim.Milliseconds(w.of)))
}

func longestFirst(s *qos.State, a, b qos.Ref) bool {
	if s.Elapsed(a) != s.Elapsed(b) {
		return s.Elapsed(a) > s.Elapsed(b)
	}
	return s.AdmittedBefore(a, b)
}

// leastRun is the cost ⟨−victims, total run time of the victims in s⟩: it prefers the fewest
// victims, then victims that have run longest.
func leastRun(s *qos.State, victims []qos.Victim, tuple []float64) []float64 {
	var run sim.Milliseconds
	for i := range victims {
		run += s.Run(victims[i].Ref)
	}
	return append(tuple, -float64(len(victims)), seconds(run))
}

func terms([]qos.Class) []qos.Term {
	return []qos.Term{{Name: "victims", Unit: "negative"}, {Name: "run time", Unit: "s"}}
}

func seconds(t sim.Milliseconds) float64 { return float64(t) / float64(sim.Second) }
