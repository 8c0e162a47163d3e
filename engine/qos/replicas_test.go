package qos

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/sim"
)

// unit is a request of one CPU and GB that runs for a number of seconds.
func unit(class string, start, seconds sim.Milliseconds) workload.Request {
	r := oneCPU(class, start*sim.Second, seconds*sim.Second)
	r.Priority = workload.NoPriority
	return r
}

// replicate runs controllers, by priority if no policy is given. rooms has the number of unit
// requests that fit on each host. It returns when which instance, counted from 0, got which host
// ("2s:1>0"), and the outcomes in order of their creation.
func replicate(t *testing.T, config Config, input Input, rooms ...int) (decisions string, outcomes []Outcome, r *Result) {
	t.Helper()
	for i, n := range rooms {
		input.Hosts = append(input.Hosts, cluster.Host{
			Name: fmt.Sprint(i), CPU: cluster.Amount(n) * cluster.Unit, Memory: cluster.Amount(n) * cluster.Unit,
		})
	}
	if input.Requests == nil {
		input.Requests = &workload.Slice{}
	}
	config.Classes = GoogleClasses(0)
	if config.Policy.Name == "" {
		config.Policy = PriorityBased()
	}
	if config.HotSet == nil {
		config.HotSet = []sim.Milliseconds{0}
	}
	config.ColdSet = config.HotSet
	var lines []string
	config.Decided = func(d *Decision) {
		lines = append(lines, fmt.Sprintf("%ds:%d>%d", d.At/sim.Second, d.Request, d.Host))
	}
	config.Finished = func(o *Outcome) { outcomes = append(outcomes, *o) }
	r = must.Get(Run(t.Context(), input, config))(t)
	slices.SortFunc(outcomes, func(a, b Outcome) int { return int(a.Index) - int(b.Index) })
	return strings.Join(lines, " "), outcomes, r
}

// A Job of 5 completions of 10 s each, 2 at once, starts at 3 s: two at 3 s, two at 13 s, one at 23
// s, and the end is at 33 s.
func TestJobKeepsItsParallelism(t *testing.T) {
	job := Controller{Name: "batch", Kind: Job, Template: unit("silver", 3, 10), Replicas: 5, Parallelism: 2}
	got, _, r := replicate(t, Config{}, Input{Controllers: []Controller{job}}, 9)
	if want := "3s:0>0 3s:1>0 13s:2>0 13s:3>0 23s:4>0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r.End != 33*sim.Second || r.Requests != 5 {
		t.Errorf("the end at %d ms after %d instances, want 33 s and 5", r.End, r.Requests)
	}
}

// A Job has two completions one after the other, 20 s each, and a gold request of 5 s takes the
// only host at 5 s. 5 s of work are lost, so the first completes at 10 + 20 = 30 s and the second
// at 50 s. An instance of a Deployment would have kept them and completed at 25 s.
//
// Measured together: e = 20 + 20 of Σr = 25 + 20 run and Σw = 5 waited, 40/50.
func TestJobLosesTheWorkOfThePreempted(t *testing.T) {
	job := Controller{Name: "batch", Kind: Job, Template: unit("bronze", 0, 20), Replicas: 2, Parallelism: 1}
	urgent := func() workload.Stream { return &workload.Slice{Requests: []workload.Request{unit("gold", 5, 5)}} }
	_, outcomes, r := replicate(t, Config{}, Input{Controllers: []Controller{job}, Requests: urgent()}, 1)
	if o := outcomes[0]; o.Run != 20*sim.Second || o.Pending != 5*sim.Second || r.End != 50*sim.Second {
		t.Errorf("%+v, end at %d ms; want 20 s run, 5 s pending, 50 s", o, r.End)
	}
	if r.Controllers[0].Name != "batch" || r.Controllers[0].Availability != 0.8 {
		t.Errorf("got %+v, want batch with 40/50", r.Controllers[0])
	}
	one := job
	one.Kind, one.Replicas = Deployment, 1
	if _, _, r := replicate(t, Config{}, Input{Controllers: []Controller{one}, Requests: urgent()}, 1); r.End != 25*sim.Second {
		t.Errorf("a Deployment ends at %d ms, want 25 s", r.End)
	}
}

// A StatefulSet has 3 instances, and each allocation takes 2 s, all of it pending. The second is
// created when the first runs, at 2 s, the third at 4 s. Instances count from 0 in order.
//
// There is room for one at a time, instances take 20 s, and a gold request runs from 1 s to 11 s.
// Then the second is created only when the first runs again, at 13 s.
func TestStatefulSetKeepsItsOrder(t *testing.T) {
	set := Controller{Name: "store", Kind: StatefulSet, Template: unit("silver", 0, 20), Replicas: 3}
	config := Config{HotSet: []sim.Milliseconds{2 * sim.Second}, FirstOverheadPending: true}
	got, _, _ := replicate(t, config, Input{Controllers: []Controller{set}}, 9)
	if want := "0s:0>0 2s:1>0 4s:2>0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	urgent := &workload.Slice{Requests: []workload.Request{unit("gold", 1, 8)}}
	_, outcomes, _ := replicate(t, config, Input{Controllers: []Controller{set}, Requests: urgent}, 1)
	if second := outcomes[2]; second.Submit != 13*sim.Second {
		t.Errorf("the second instance is created at %d ms, want 13 s", second.Submit)
	}
}

// A DaemonSet runs on two hosts, on a third one that is added at 10 s, and not on one with the
// wrong disk. When host 0 fails at 20 s, its instance waits, although the others have room, and
// runs there again at 30 s: no second instance is created.
func TestDaemonSetCoversEachHost(t *testing.T) {
	daemon := Controller{Name: "agent", Kind: DaemonSet, Template: unit("silver", 0, 100)}
	daemon.Template.Constraints = []cluster.Constraint{{Key: "disk", Op: cluster.NotEqual, Value: "tape"}}
	tape := cluster.Host{Name: "tape", CPU: cluster.Unit, Memory: cluster.Unit, Attributes: []cluster.Attribute{{Key: "disk", Value: "tape"}}}
	input := Input{
		Hosts: []cluster.Host{tape}, Controllers: []Controller{daemon},
		HostEvents: []workload.HostEvent{
			{At: 10 * sim.Second, Host: "late", Up: true, CPU: cluster.Unit, Memory: cluster.Unit},
			{At: 20 * sim.Second, Host: "0", Up: false}, {At: 30 * sim.Second, Host: "0", Up: true},
		},
	}
	got, outcomes, r := replicate(t, Config{}, input, 3, 3)
	if want := "0s:0>1 0s:1>2 10s:2>3 30s:0>1"; got != want || r.Requests != 3 {
		t.Errorf("%d instances, %s; want 3, %s", r.Requests, got, want)
	}
	if o := outcomes[0]; o.Pending != 10*sim.Second || r.End != 110*sim.Second {
		t.Errorf("%+v, end at %d ms; want 10 s pending, 110 s", o, r.End)
	}
}

// A CronJob of two completions of 5 s at once runs every 60 s from 10 s on, three times: instances
// at 10, 70 and 130 s, and the end is at 135 s.
func TestCronJobSubmitsItsJobOnAPeriod(t *testing.T) {
	backup := Controller{Name: "backup", Kind: CronJob, Template: unit("silver", 10, 5), Replicas: 2, Period: sim.Minute, Runs: 3, Measure: Aggregated}
	got, _, r := replicate(t, Config{}, Input{Controllers: []Controller{backup}}, 9)
	if want := "10s:0>0 10s:1>0 70s:2>0 70s:3>0 130s:4>0 130s:5>0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(r.Controllers) != 3 || r.Controllers[2].Name != "backup-3" || r.End != 135*sim.Second {
		t.Errorf("%+v, end at %d ms; want three Jobs, the last backup-3, and 135 s", r.Controllers, r.End)
	}
	// Without a number of runs, it ends at the horizon, which counts from the first arrival.
	backup.Runs = 0
	if _, _, r := replicate(t, Config{Horizon: 100 * sim.Second}, Input{Controllers: []Controller{backup}}, 9); r.Requests != 4 {
		t.Errorf("%d instances in 100 s, want 4", r.Requests)
	}
}

// A Deployment of two runs on a host for two, and gold takes a place from 5 s to 10 s. One instance
// has 20 of 20 s, the other 20 of 25, and both have completed when the controller is measured: 0.8
// by its instances, and 40 of 45 together. Both run from 0 to 5 and from 10 to 20 s, then the one
// that waited runs alone until 25 s: 15 + 15 + 5 of 45.
func TestMeasuresOfADeployment(t *testing.T) {
	for measure, want := range map[Measure]float64{Independent: 0.8, Aggregated: 40. / 45, Concurrent: 35. / 45} {
		web := Controller{Name: "web", Template: unit("bronze", 0, 20), Replicas: 2, Measure: measure}
		urgent := &workload.Slice{Requests: []workload.Request{unit("gold", 5, 5)}}
		_, _, r := replicate(t, Config{}, Input{Controllers: []Controller{web}, Requests: urgent}, 2)
		got := r.Controllers
		if len(got) != 1 || math.Abs(got[0].Availability-want) > 1e-12 || got[0].Instances != 2 || got[0].Preemptions != 1 || got[0].Measure != measure.String() {
			t.Errorf("%v: %+v, want %v, 2 instances and a preemption", measure, got, want)
		}
	}
}

// A StatefulSet has two instances, and an allocation takes 2 s. One runs from 2 s to 22 s; the
// other is created at 2 s and runs from 4 s to 24 s. While only one exists, it counts as all: both
// together for 18 s, and the second for 2 s after the first has completed, 38 of 2·22 s.
func TestConcurrentWithInstancesThatComeAndGo(t *testing.T) {
	set := Controller{Name: "store", Kind: StatefulSet, Template: unit("silver", 0, 20), Replicas: 2, Measure: Concurrent}
	config := Config{HotSet: []sim.Milliseconds{2 * sim.Second}, FirstOverheadPending: true}
	_, _, r := replicate(t, config, Input{Controllers: []Controller{set}}, 9)
	if got := r.Controllers[0]; math.Abs(got.Availability-38./44) > 1e-12 || got.Kind != StatefulSet.String() {
		t.Errorf("got %+v, want 38/44", got)
	}
}

// The report has no trace of a controller whose instance can never run, with and without a horizon.
func TestAControllerThatNeverRuns(t *testing.T) {
	for _, measure := range []Measure{Independent, Concurrent, Aggregated} {
		huge := Controller{Name: "huge", Template: unit("silver", 0, 20), Replicas: 1, Measure: measure}
		huge.Template.CPU = 10 * cluster.Unit
		for _, horizon := range []sim.Milliseconds{0, sim.Minute} {
			_, _, r := replicate(t, Config{Horizon: horizon}, Input{Controllers: []Controller{huge}}, 2)
			if r.Controllers[0].Availability != 0 || r.Hopeless != 1 {
				t.Errorf("%v until %d: %+v, want 0", measure, horizon, r.Controllers[0])
			}
		}
	}
}

// Instances are named by controller, in order of creation, among the requests of the
// workload. A Job with successive instances is not in the arrays that compare
// policies.
func TestInstancesAreNamed(t *testing.T) {
	var names []string
	config := Config{Arrived: func(a *Arrival) { names = append(names, fmt.Sprint(a.Index, a.Controller, ":", a.Request.ID)) }}
	backup := Controller{Name: "backup", Kind: CronJob, Template: unit("gold", 0, 5), Replicas: 2, Parallelism: 1, Period: sim.Minute, Runs: 2}
	web := Controller{Name: "web", Template: unit("silver", 1, 5), Replicas: 2}
	lone := unit("bronze", 1, 5)
	lone.ID = "lone"
	_, _, r := replicate(t, config, Input{Controllers: []Controller{backup, web}, Requests: &workload.Slice{Requests: []workload.Request{lone}}}, 9)
	want := "0backup-1:backup-1/1 1web:web/1 2web:web/2 3:lone 4backup-1:backup-1/2 5backup-2:backup-2/1 6backup-2:backup-2/2"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, classes := r.Arrays(); !slices.Equal(classes, []uint8{1, 1, 2}) {
		t.Errorf("the arrays have the classes %v, want silver, silver, bronze", classes)
	}
}

// mixed returns controllers of all kinds, with measures up to most.
func mixed(seed uint64, most Measure) []Controller {
	random := sim.NewRandom(seed, 9)
	var all []Controller
	for i := range 12 {
		c := Controller{
			Name: fmt.Sprint(i), Kind: ControllerKind(random.IntN(int(CronJob) + 1)), Replicas: 1 + random.IntN(5), Parallelism: random.IntN(3),
			Template: unit([]string{"gold", "silver", "bronze"}[random.IntN(3)], sim.Milliseconds(random.IntN(40)), sim.Milliseconds(1+random.IntN(60))),
			Period:   sim.Milliseconds(5+random.IntN(20)) * sim.Second, Runs: 1 + random.IntN(3),
			Measure: Measure(random.IntN(int(most) + 1)),
		}
		if c.Kind >= Job && most == Independent {
			c.Kind = Deployment
		}
		all = append(all, c)
	}
	return all
}

// wantSameDecisions compares the decisions on controllers with and without a change, under the
// QoS-driven and the priority-based policy.
func wantSameDecisions(t *testing.T, most Measure, change func(*Config)) {
	t.Helper()
	for _, policy := range []Policy{PriorityBased(), QoSDriven(), Hybrid(4)} {
		for seed := uint64(75); seed < 115; seed++ {
			run := func(config Config) string {
				config.Policy, config.Watchdog, config.Alpha, config.HotSet = policy, 10*sim.Second, -1, []sim.Milliseconds{1000, 2000}
				input := Input{Controllers: mixed(seed, most), HostEvents: []workload.HostEvent{
					{At: 20 * sim.Second, Host: "1"}, {At: 50 * sim.Second, Host: "1", Up: true},
				}}
				got, _, _ := replicate(t, config, input, 3, 2, 4)
				return got
			}
			changed := Config{}
			change(&changed)
			if got, literal := run(changed), run(Config{Literal: true}); got != literal {
				t.Fatalf("%s, seed %d: the decisions differ:\n%s\n%s", policy.Name, seed, got, literal)
			}
		}
	}
}

// Controllers that are measured together use other savings than the rest.
func TestSchedulersAgreeAboutControllers(t *testing.T) {
	wantSameDecisions(t, Independent, func(*Config) {})
	wantSameDecisions(t, Aggregated, func(*Config) {})
}

// The savings that change no decisions also change none about controllers that are measured
// together, where an event of one instance changes the Q of the others.
func TestSavingsChangeNothingAboutControllers(t *testing.T) {
	for _, savings := range []Savings{{EquivalenceClass: true}, {Pruning: PruneSafely}} {
		wantSameDecisions(t, Aggregated, func(c *Config) { c.Savings = savings })
	}
}

// The number of sets of constraints and the number of hosts together limit the cached hosts.
func TestSetsOfConstraintsAreBounded(t *testing.T) {
	s := &system{sets: map[string]uint16{}, hostList: make([]cluster.Host, 1<<14)}
	s.allowed = make([][]bool, maxAllowed>>14+1)
	_, err := s.constraintSet([]cluster.Constraint{{Key: "a", Op: cluster.Equal, Value: "b"}})
	if err == nil || err.Error() != "there are more than 16384 different sets of constraints, too many for 16384 hosts" {
		t.Errorf("got %v", err)
	}
}
