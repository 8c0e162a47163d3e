package qos

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Two instances, SLO 0.8, α = 1 s, in seconds:
//
//	above the SLO: e = 90 of 100 in all, one runs, one waits
//	  the waiting one (c = 1): (90 − 0.8·100)/(2·0.8 − 1) − 1 = 10/0.6 − 1 = 15.667
//	  the running one (c = 0): 10/1.6 − 1 = 5.25
//	  both run, c = 2 if none is touched: 2·0.8 − 2 < 0: never
//	below it: e = 70 of 100: 70/0.8 − 100 − 1 = −13.5, whatever goes on
func TestQOfControllers(t *testing.T) {
	for _, test := range []struct {
		useful       sim.Milliseconds
		contributing int
		want         float64
	}{
		{90, 1, 10/0.6 - 1}, {90, 0, 5.25}, {90, 2, math.Inf(1)}, {80, 0, -1}, {70, 1, -13.5},
	} {
		a := account{useful: test.useful * 1000, ran: 90000, waited: 10000, running: 1, waiting: 1}
		got := a.q(0.8, test.contributing, toQ(1000)).Seconds()
		if math.IsInf(test.want, 1) && got > 1e9 {
			continue
		}
		if math.Abs(got-test.want) > 1e-6 {
			t.Errorf("e = %d, c = %d: %v, want %v", test.useful, test.contributing, got, test.want)
		}
	}
	far := account{waited: 100_000 * 300 * sim.Day, waiting: 100_000} // in ms: does not fit into 64 bits
	if q := far.q(0.8, 0, toQ(1000)); q > -timeToQ(never) {
		t.Errorf("far below its SLO: %v s", q.Seconds())
	}
	if got := (&account{useful: 70, ran: 90, waited: 10}).availability(); got != 0.7 {
		t.Errorf("availability %v, want 0.7", got)
	}
}

// The account of a controller is the sum over its instances in every state: at every decision the
// test adds them up one by one.
func TestAccountsAddUp(t *testing.T) {
	for seed := range uint64(200) {
		r := sim.NewRandom(seed, 1)
		var input Input
		input.Requests = &workload.Slice{}
		for h := range 3 {
			input.Hosts = append(input.Hosts, cluster.Host{Name: fmt.Sprint(h), CPU: 4 * cluster.Unit, Memory: 4 * cluster.Unit})
		}
		for i := range 4 {
			at := sim.Milliseconds(r.IntN(60_000))
			template := oneCPU([]string{"gold", "silver", "bronze"}[r.IntN(3)], at, 1+sim.Milliseconds(r.IntN(60_000)))
			input.Controllers = append(input.Controllers, Controller{
				Name: fmt.Sprint(i), Kind: []ControllerKind{Deployment, Job, StatefulSet, CronJob}[r.IntN(4)], Template: template, Replicas: 1 + r.IntN(9),
				Parallelism: r.IntN(4), Period: 20_000, Runs: 3, Measure: Measure(r.IntN(3)),
			})
			input.HostEvents = append(input.HostEvents, workload.HostEvent{At: sim.Milliseconds(20_000 * (i + 1)), Host: "1", Up: i%2 == 1})
		}
		var s *system
		compared := 0
		config := Config{
			Policy: QoSDriven(), Classes: GoogleClasses(10 * sim.Second), HotSet: []sim.Milliseconds{0, 3000, 9000}, Watchdog: 5 * sim.Second, Horizon: 200 * sim.Second,
			Seed: seed, Decided: func(*Decision) {
				for i := range s.controllers {
					c := s.controllers[i]
					for _, without := range append(s.membersOf(int32(i)), noRef) {
						if got, want := c.account(&s.State, without), s.addedUp(int32(i), without); got != want {
							t.Fatalf("seed %d at %d ms, controller %d of measure %d without %d: %+v, want %+v", seed, s.now, i, c.Measure, without, got, want)
						}
					}
					compared++
				}
			},
		}
		config.ColdSet = config.HotSet
		var err error
		s, err = newSystem(input, config)
		if err == nil {
			err = s.run(t.Context(), 0)
		}
		if err != nil || compared == 0 {
			t.Fatalf("%d accounts compared, %v", compared, err)
		}
	}
}

// membersOf returns the active instances of a controller.
func (s *system) membersOf(number int32) []Ref {
	return slices.DeleteFunc(s.unfinished(), func(r Ref) bool { return s.instances[r].controller != number+1 })
}

// addedUp sums the account of a controller over its members, without the work of one of them. It does
// not check the fields together and settled.
func (s *system) addedUp(number int32, without Ref) account {
	c, all := s.controllers[number], s.membersOf(number)
	a, since, members := c.left, c.settled, sim.Milliseconds(len(all))
	for _, r := range all {
		k := &s.instances[r]
		run := s.Run(r)
		a.useful += run
		a.ran += run + k.lost
		a.waited += s.now - k.admitted - run - k.lost
		since = max(since, k.ready)
		if k.host == nowhere {
			a.waiting++
		} else {
			a.running++
		}
	}
	if c.Measure == Concurrent {
		a.useful = c.together
		if a.waiting == 0 {
			a.useful += max(0, s.now-since) * members
		}
	}
	if without != noRef {
		a.useful -= s.Run(without)
	}
	return a
}

// A run with many replicas measured together takes no longer per replica than one with few. A
// quadratic one would take an hour instead of seconds.
func TestManyReplicasMeasuredTogether(t *testing.T) {
	golden.Long(t)
	const replicas = 100_000
	for _, test := range []struct {
		kind    ControllerKind
		measure Measure
		want    float64
	}{{Deployment, Aggregated, 1}, {Deployment, Concurrent, 1}, {Job, Aggregated, 1}, {StatefulSet, Aggregated, 1}} {
		c := Controller{Name: "c", Kind: test.kind, Measure: test.measure, Template: unit("gold", 0, 200_000), Replicas: replicas, Parallelism: replicas / 4}
		config := Config{Policy: QoSDriven(), Watchdog: sim.Minute}
		_, _, r := replicate(t, config, Input{Controllers: []Controller{c}}, replicas, replicas)
		if got := r.Controllers[0]; got.Instances != replicas || got.Availability != test.want {
			t.Errorf("%v measured as %v: %+v", test.kind, test.measure, got)
		}
	}
}

// The same holds for waiting replicas, which take over hosts one at a time.
func TestManyReplicasWaitTogether(t *testing.T) {
	golden.Long(t)
	const replicas, room = 100_000, 100
	overheads := make([]sim.Milliseconds, 997)
	for i := range overheads {
		overheads[i] = sim.Milliseconds(10 * i)
	}
	for _, policy := range []Policy{QoSDriven(), PriorityBased()} {
		c := Controller{Name: "c", Measure: Aggregated, Template: unit("gold", 0, 1000), Replicas: replicas}
		config := Config{Policy: policy, Watchdog: sim.Minute, HotSet: overheads, FirstOverheadPending: true}
		_, outcomes, r := replicate(t, config, Input{Controllers: []Controller{c}}, room/2, room/2)
		if len(outcomes) != replicas || !outcomes[replicas-1].Completed || r.End < replicas/room*1000*sim.Second {
			t.Errorf("%s: %d instances, the end at %d ms", policy.Name, len(outcomes), r.End)
		}
	}
}
