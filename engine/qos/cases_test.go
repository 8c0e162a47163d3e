package qos

import (
	"context"
	"fmt"
	"math"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/sim"
)

// variant is the scheduler under test, correct or with a mistake.
type variant struct {
	policy  Policy
	adjust  func(*Config)
	noFirst bool // mistake: a new request has the same Q as others
}

// bench is the state one hour into a run, which a case sets up by hand.
type bench struct {
	*system
	variant
}

const hour = 3600 * sim.Second

// newBench has one host for each number of unit requests in rooms, the three classes of the paper
// with φ = 10 s, and α = 2 s.
func newBench(v variant, rooms ...int) *bench {
	c := Config{
		Policy: v.policy, Literal: true, Classes: GoogleClasses(10 * sim.Second), Watchdog: 10 * sim.Second,
		Alpha: 2000, HotSet: []sim.Milliseconds{2000}, ColdSet: []sim.Milliseconds{2000},
	}
	if v.adjust != nil {
		v.adjust(&c)
	}
	var hosts []cluster.Host
	for i, n := range rooms {
		hosts = append(hosts, cluster.Host{Name: fmt.Sprint(i), CPU: cluster.Amount(n) * cluster.Unit, Memory: cluster.Amount(n) * cluster.Unit})
	}
	s, err := newSystem(Input{Hosts: hosts, Requests: &workload.Slice{}}, c)
	if err != nil {
		panic(err)
	}
	s.now = hour
	return &bench{s, v}
}

const (
	gold = iota
	silver
	bronze
)

// instance adds a request that ran and waited for the given seconds. host may be nowhere.
func (b *bench) instance(class int, run, pending float64, host int) Ref {
	r := b.slot()
	e, p := sim.Milliseconds(run*1000), sim.Milliseconds(pending*1000)
	b.instances[r] = instance{
		admitted: b.now - e - p, duration: 10 * hour, run: e, ready: b.now, class: uint8(class),
		asks: cluster.Resources{CPU: cluster.Unit, Memory: cluster.Unit}, host: int32(host), index: b.arrivals.count, allocations: 1,
	}
	b.arrivals.count++
	if host != nowhere {
		b.instances[r].place = int32(len(b.hosts[host].instances))
		b.hosts[host].instances, b.hosts[host].jobs = append(b.hosts[host].instances, r), append(b.hosts[host].jobs, 0)
		b.instances[r].token = b.hosts[host].Take(&b.instances[r].asks)
		b.placed++
	} else {
		b.scheduler.enqueue(r)
	}
	return r
}

// arrive adds a new request.
func (b *bench) arrive(class int) Ref {
	r := b.instance(class, 0, 0, nowhere)
	b.instances[r].allocations = 0
	b.instances[r].fresh = !b.noFirst
	return r
}

// pass makes one pass and returns the decisions as "request>host-victims".
func (b *bench) pass() string {
	text := ""
	b.config.Decided = func(d *Decision) {
		text += fmt.Sprintf("%d>%d", d.Request, d.Host)
		for _, v := range d.Victims {
			text += fmt.Sprintf("-%d", v)
		}
		text += " "
	}
	b.scheduler.pass()
	return text
}

func expect(got, want string) error {
	if got != want {
		return fmt.Errorf("got %q, want %q", got, want)
	}
	return nil
}

// handCase is a situation and the decision that a correct scheduler makes.
type handCase struct {
	name  string
	check func(variant) error
}

var handCases = []handCase{
	// Silver ran 100 of 100 s: Q = 100/0.9 − 100 − 2 = 9.11 s < φ = 10 s. A new bronze request (Q =
	// 0) is less important, so it preempts no instance. After 110 of 110 s, Q = 122.22 − 110 − 2 =
	// 10.22 ≥ 10, and 0 < 10.22: silver is preempted.
	{"margin", func(v variant) error {
		for run, want := range map[float64]string{100: "", 110: "1>0-0 "} {
			b := newBench(v, 1)
			b.instance(silver, run, 0, 0)
			b.arrive(bronze)
			if err := expect(b.pass(), want); err != nil {
				return fmt.Errorf("after %v s: %w", run, err)
			}
		}
		return nil
	}},
	// With α = 0, silver's Q after 95 s would be 105.56 − 95 = 10.56 ≥ φ. It is 8.56, so silver
	// stays.
	{"alpha", func(v variant) error {
		b := newBench(v, 1)
		b.instance(silver, 95, 0, 0)
		b.arrive(bronze)
		return expect(b.pass(), "")
	}},
	// The example of section 3.2: j ran 58 of 60 min (A = 96.7 %) and k 10 of 10 (100 %), both with
	// an SLO of 90 %. Q_j = 58/0.9 − 60 = 4.4 min and Q_k = 1.1 min, so j is preempted.
	{"time to violate", func(v variant) error {
		b := newBench(v, 2)
		b.instance(silver, 58*60, 2*60, 0)
		b.instance(silver, 10*60, 0, 0)
		b.arrive(gold)
		return expect(b.pass(), "2>0-0 ")
	}},
	// Request 0 was submitted 110 s ago and ran 100 s: Q = 100/0.5 − 110 − 2 = 88 s. Request 1 was
	// submitted 5 s ago and has waited: Q = −7 s. There is room for one.
	{"queue order", func(v variant) error {
		b := newBench(v, 1)
		b.instance(bronze, 100, 10, nowhere)
		b.instance(bronze, 0, 5, nowhere)
		return expect(b.pass(), "1>0 ")
	}},
	// Bronze instances ran 50 and 80 s: Q = 48 and 78 s, both ≥ φ. The one with the larger Q is
	// preempted.
	{"victim order", func(v variant) error {
		b := newBench(v, 2)
		b.instance(bronze, 50, 0, 0)
		b.instance(bronze, 80, 0, 0)
		b.arrive(gold)
		return expect(b.pass(), "2>0-1 ")
	}},
	// A gold request at Q = −50 − 2 could take host 0 from gold at Q − φ = −3 − 2 − 10 = −15, or
	// host 1 from silver that ran 0 of 100 s, Q − φ = −112. ⟨−15, 0, 0, 0⟩ < ⟨0, −112, 0, 0⟩, so it
	// preempts silver.
	{"cost tuple", func(v variant) error {
		b := newBench(v, 1, 1)
		b.instance(gold, 100, 3, 0)
		b.instance(silver, 0, 100, 1)
		b.instance(gold, 0, 50, nowhere)
		return expect(b.pass(), "2>1-1 ")
	}},
	// A new request has Q = 0, not −α = −2 s. Bronze that ran 0.6 of 1.1 s is at 0.6/0.5 − 1.1 − 2
	// = −1.9 s and comes first. Gold, which is more important and also below its margin, then takes
	// its place.
	{"new request", func(v variant) error {
		b := newBench(v, 1)
		b.instance(bronze, 0.6, 0.5, nowhere)
		b.arrive(gold)
		return expect(b.pass(), "0>0 1>0-0 ")
	}},
	// Silver has the limit 1 − 0.9. With Σα = 10 s over 90 s of run, C = 10/100 is at the limit,
	// not above it. Over 89 s, 10/99 > 0.1, so it is protected from silver, but not from gold. It
	// is late (Q = 89/0.9 − 189 − 2 = −92 s).
	{"limit", func(v variant) error {
		for _, test := range []struct {
			run   float64
			class int
			want  string
		}{{90, silver, "1>0-0 "}, {89, silver, ""}, {89, bronze, ""}, {89, gold, "1>0-0 "}} {
			b := newBench(v, 1)
			k := b.instance(silver, test.run, 100, 0)
			b.instances[k].overheads = 10000
			b.instance(test.class, 0, 300, nowhere)
			if err := expect(b.pass(), test.want); err != nil {
				return fmt.Errorf("class %d over %v s: %w", test.class, test.run, err)
			}
		}
		return nil
	}},
	// The first overhead counts as run time, so A = 1 at once; overheads after a preemption do not.
	// Bronze runs alone for 100 s, is preempted by gold for 10 s, and resumes with an overhead of 2
	// s. After its 200 s of run it has waited 10 + 2 s.
	{"first overhead", func(v variant) error {
		config := *newBench(v, 1).config
		config.Policy = PriorityBased()
		got := map[uint32]Outcome{}
		config.Finished = func(o *Outcome) { got[o.Index] = *o }
		one := workload.Request{Duration: 200 * sim.Second, CPU: cluster.Unit, Memory: cluster.Unit, Class: "bronze"}
		two := one
		two.Submit, two.Duration, two.Class = 100*sim.Second, 10*sim.Second, "gold"
		hosts := []cluster.Host{{Name: "only", CPU: cluster.Unit, Memory: cluster.Unit}}
		if _, err := Run(context.Background(), Input{Hosts: hosts, Requests: &workload.Slice{Requests: []workload.Request{one, two}}}, config); err != nil {
			return err
		}
		if p := got[0].Pending; p != 12*sim.Second || got[1].Availability != 1 {
			return fmt.Errorf("bronze waited %d ms, want 12000; gold has %v, want 1", p, got[1].Availability)
		}
		return nil
	}},
	// With an SLO of 100 %, Q = −p − α is always below the margin. Gold that has waited 1 s (Q =
	// −3) is preempted by gold that has waited 5 s (−7), but not by bronze that has waited 500 s.
	{"slo of 100 %", func(v variant) error {
		for _, test := range []struct {
			class   int
			pending float64
			want    string
		}{{gold, 5, "1>0-0 "}, {gold, 1, ""}, {bronze, 500, ""}} {
			b := newBench(v, 1)
			b.instance(gold, 1000, 1, 0)
			b.instance(test.class, 0, test.pending, nowhere)
			if err := expect(b.pass(), test.want); err != nil {
				return fmt.Errorf("class %d after %v s: %w", test.class, test.pending, err)
			}
		}
		return nil
	}},
	// Relaxation: bronze below its margin (10 of 10 s: Q = 8 < 10) is preempted by a silver request
	// below its own margin (Q = −3), but not by one above it (1000 of 1000 s: Q = 109).
	{"relaxation on both sides", func(v variant) error {
		for _, test := range []struct {
			run, pending float64
			want         string
		}{{0, 1, "1>0-0 "}, {1000, 0, ""}} {
			b := newBench(v, 1)
			b.instance(bronze, 10, 0, 0)
			b.instance(silver, test.run, test.pending, nowhere)
			if err := expect(b.pass(), test.want); err != nil {
				return fmt.Errorf("with %v s of run: %w", test.run, err)
			}
		}
		return nil
	}},
	// Equal Q: no instance is preempted.
	{"equal Q", func(v variant) error {
		b := newBench(v, 1)
		b.instance(bronze, 100, 30, 0)
		b.instance(bronze, 100, 30, nowhere)
		return expect(b.pass(), "")
	}},
	// Requests at or above φ are preempted before requests below it. Below φ the least important
	// are preempted first, although bronze at Q = −100 − 2 has the lowest Q.
	{"order of victims", func(v variant) error {
		b := newBench(v, 3)
		b.instance(silver, 0, 20, 0)
		b.instance(bronze, 0, 100, 0)
		b.instance(silver, 1000, 0, 0)
		j := b.instance(gold, 0, 300, nowhere)
		b.instances[j].asks.CPU = 3 * cluster.Unit
		return expect(b.pass(), "3>0-2-1-0 ")
	}},
}

func TestHandMadeCases(t *testing.T) {
	for _, c := range handCases {
		if err := c.check(variant{policy: QoSDriven()}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Table 2 at each of its bounds, and 1 for an hour of one CPU at D = 0.5: bronze at A = 0 pays
// 0.5·1·1·(1 + 1) = 1 CPU-hour.
func TestPenaltyTable(t *testing.T) {
	const below = 1e-9
	for _, test := range []struct {
		class        int
		availability float64
		credit       float64
	}{
		{gold, 1 - below, 0}, {gold, 0.9999, 0}, {gold, 0.9999 - below, 0.1}, {gold, 0.99, 0.1},
		{gold, 0.99 - below, 0.3}, {gold, 0.95, 0.3}, {gold, 0.95 - below, 1}, {gold, 0, 1},
		{silver, 0.9 - below, 0.1}, {silver, 0.8911, 0.1}, {silver, 0.8911 - below, 0.3}, {silver, 0.8556, 0.3}, {silver, 0.8556 - below, 1},
		{bronze, 0.5 - below, 0.1}, {bronze, 0.495, 0.1}, {bronze, 0.495 - below, 0.3}, {bronze, 0.475, 0.3}, {bronze, 0.475 - below, 1},
	} {
		class := GoogleClasses(0)[test.class]
		if got := class.credit(test.availability); got != test.credit {
			t.Errorf("%s at %v: credit %v, want %v", class.Name, test.availability, got, test.credit)
		}
	}
	var all Violations
	for _, test := range []struct {
		class        int
		run          sim.Milliseconds
		availability float64
		cpu, want    float64 // (SLO − A) · hours · CPU · (1 + credit)
	}{
		{bronze, hour, 0, 1, 0.5 * 1 * 1 * 2}, {silver, 2 * hour, 0.88, 3, 0.02 * 2 * 3 * 1.3}, {gold, hour / 2, 0.995, 4, 0.005 * 0.5 * 4 * 1.1},
	} {
		class := GoogleClasses(0)[test.class]
		got := penalty(&class, test.availability, test.run, test.cpu)
		if math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s at %v: penalty %v CPU-hours, want %v", class.Name, test.availability, got, test.want)
		}
		all.add(&Violations{Missed: Missed{Late: 1}, Deficit: class.SLO - test.availability, Largest: class.SLO - test.availability, Penalty: got})
	}
	if math.Abs(all.Penalty-1.167) > 1e-12 || math.Abs(all.Deficit-0.525) > 1e-12 || all.Largest != 0.5 || all.Late != 3 {
		t.Errorf("all violations are %+v, want 3 with 1.167 CPU-hours, a deficit of 0.525 and the largest of 0.5", all)
	}
}

// Without overheads, only the policy takes time.
func scenario(t *testing.T, policy Policy, hosts []cluster.Host, events []workload.HostEvent, requests ...workload.Request) []Outcome {
	t.Helper()
	got := make([]Outcome, len(requests))
	config := Config{
		Policy: policy, Classes: GoogleClasses(10 * sim.Second), Watchdog: 10 * sim.Second, Alpha: 0,
		HotSet: []sim.Milliseconds{1000}, ColdSet: []sim.Milliseconds{4000},
		Finished: func(o *Outcome) { got[o.Index] = *o },
	}
	must.Get(Run(t.Context(), Input{Hosts: hosts, HostEvents: events, Requests: &workload.Slice{Requests: requests}}, config))(t)
	return got
}

func oneCPU(class string, submit, duration sim.Milliseconds) workload.Request {
	return workload.Request{Class: class, Submit: submit, Duration: duration, CPU: cluster.Unit, Memory: cluster.Unit}
}

// Bronze runs in [0, 20) on its only host, waits in [20, 25) while gold runs there, and returns
// with the hot overhead, 1 s: it waits 6 s in all. It waits as long if the host fails in [20, 25).
// If the host fails for good and another one is added at 25 s, the overhead is the cold one, 4 s: 9
// s.
func TestHotColdAndHostLoss(t *testing.T) {
	host := func(name string) cluster.Host {
		return cluster.Host{Name: name, CPU: cluster.Unit, Memory: cluster.Unit}
	}
	down := workload.HostEvent{At: 20000, Host: "a"}
	for _, test := range []struct {
		name   string
		events []workload.HostEvent
		gold   bool
		want   sim.Milliseconds
	}{
		{"preempted", nil, true, 6000},
		{"failed and back", []workload.HostEvent{down, {At: 25000, Host: "a", Up: true}}, false, 6000},
		{"failed and replaced", []workload.HostEvent{down, {At: 25000, Host: "b", Up: true, CPU: cluster.Unit, Memory: cluster.Unit}}, false, 9000},
	} {
		requests := []workload.Request{oneCPU("bronze", 0, 60000)}
		if test.gold {
			requests = append(requests, oneCPU("gold", 20000, 5000))
		}
		got := scenario(t, PriorityBased(), []cluster.Host{host("a")}, test.events, requests...)
		if got[0].Pending != test.want || got[0].Run != 60000 || !got[0].Completed {
			t.Errorf("%s: %+v, want %d ms of waiting", test.name, got[0], test.want)
		}
	}
}

// Two tasks of a job must not share a host. On one host with room for both, the second waits for
// the end of the first. In the second case only the smaller host meets the constraint of both
// requests, so the second waits 30 s for the first.
func TestAntiAffinityAndConstraints(t *testing.T) {
	large := cluster.Host{Name: "large", CPU: 4 * cluster.Unit, Memory: 4 * cluster.Unit}
	apart := oneCPU("gold", 0, 10000)
	apart.AntiAffinity, apart.Job = true, 7
	got := scenario(t, QoSDriven(), []cluster.Host{large}, nil, apart, apart)
	if got[0].Pending != 0 || got[1].Pending != 10000 {
		t.Errorf("the tasks waited %d and %d ms, want 0 and 10000", got[0].Pending, got[1].Pending)
	}
	small := cluster.Host{Name: "small", CPU: cluster.Unit, Memory: cluster.Unit, Attributes: []cluster.Attribute{{Key: "gpu", Value: "2"}}}
	picky := oneCPU("gold", 0, 30000)
	picky.Constraints = []cluster.Constraint{{Key: "gpu", Op: cluster.Greater, Value: "1"}}
	got = scenario(t, PriorityBased(), []cluster.Host{large, small}, nil, picky, picky)
	if got[0].Pending != 0 || got[1].Pending != 30000 {
		t.Errorf("the requests waited %d and %d ms, want 0 and 30000", got[0].Pending, got[1].Pending)
	}
}

// Requests never share a whole device. Three that request one each run one after the other on a
// host with one, and a request for two finds no host. Two that request half a device share it. A
// request without GPUs can use any host.
func TestGPUsAreNotShared(t *testing.T) {
	host := cluster.Host{Name: "h", CPU: 64 * cluster.Unit, Memory: 64 * cluster.Unit, GPUs: 1}
	one := oneCPU("gold", 0, 10000)
	one.GPUs = 1
	got := scenario(t, PriorityBased(), []cluster.Host{host}, nil, one, one, one, oneCPU("gold", 0, 10000))
	for i, want := range []sim.Milliseconds{0, 10000, 20000, 0} {
		if got[i].Pending != want {
			t.Errorf("request %d waited %d ms, want %d", i, got[i].Pending, want)
		}
	}
	share := one
	share.GPUShare = cluster.Unit / 2
	got = scenario(t, PriorityBased(), []cluster.Host{host}, nil, share, share, share, one)
	for i, want := range []sim.Milliseconds{0, 0, 10000, 20000} {
		if got[i].Pending != want {
			t.Errorf("of two shares and then another and a whole one, request %d waited %d ms, want %d", i, got[i].Pending, want)
		}
	}
	many := one
	many.GPUs = 2
	seen, err := Inspect(&workload.Slice{Requests: []workload.Request{one, many}}, Input{Hosts: []cluster.Host{host}}, Config{
		Policy: PriorityBased(), Classes: GoogleClasses(0), Watchdog: sim.Second, HotSet: []sim.Milliseconds{0}, ColdSet: []sim.Milliseconds{0},
	})
	if err != nil || seen.Hopeless.N != 1 || seen.Most.GPUs != 2*cluster.Unit {
		t.Errorf("%+v, %v", seen, err)
	}
}
