package federate_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/parameter"
)

func oneTask() *workload.Tasks {
	return &workload.Tasks{
		Resources: []string{workload.SlotResource}, Jobs: []workload.TaskJob{{Count: 1, User: -1}},
		Durations: []federate.Time{federate.Second}, KindOf: []int32{0},
		Kinds: []workload.TaskKind{{Request: []cluster.Amount{cluster.Unit}}},
	}
}

func TestConfigurationsThatAreWrong(t *testing.T) {
	outage := func(o federate.Outage) func(*federate.Config) {
		return func(c *federate.Config) { c.Outages = []federate.Outage{o} }
	}
	for _, test := range []struct {
		want   string
		change func(*federate.Config)
	}{
		{"workers: 0", func(c *federate.Config) { c.Workers = 0 }},
		{"gms: 0", func(c *federate.Config) { c.GMs = 0 }},
		{"lms: -1", func(c *federate.Config) { c.LMs = -1 }},
		{"gms: there are 11 for 10 workers", func(c *federate.Config) { c.GMs = 11 }},
		{"lms: there are 11 for 10 workers", func(c *federate.Config) { c.LMs = 11 }},
		{"gms: 400 with 400 LMs", func(c *federate.Config) { c.Workers, c.GMs, c.LMs = 1000, 400, 400 }},
		{"workers: 1000000 with 1000 GMs", func(c *federate.Config) { c.Workers, c.GMs = 1_000_000, 1000 }},
		{"capacity: it has 0", func(c *federate.Config) { c.Capacity = nil }},
		{"capacity: -1 of slots", func(c *federate.Config) { c.Capacity = []cluster.Amount{-cluster.Unit} }},
		{"capacity: 1e+09 of slots on each of 10 workers come to more than 4e9", func(c *federate.Config) { c.Capacity = []cluster.Amount{cluster.MaxAmount} }},
		{"machines: there are 3", func(c *federate.Config) { c.Machines = make([]uint64, 3) }},
		{"heartbeat: 0 s", func(c *federate.Config) { c.Heartbeat = 0 }},
		{"delay: -1 s", func(c *federate.Config) { c.Delay = -federate.Second }},
		{"launchDelay: ", func(c *federate.Config) { c.LaunchDelay = math.MaxInt64 }},
		{"costs.verify: ", func(c *federate.Config) { c.Costs.Verify = -1 }},
		{"shares: they sum to 0.9", func(c *federate.Config) { c.Shares = []float64{0.4, 0.5} }},
		{"shares: share 2 is 0", func(c *federate.Config) { c.Shares = []float64{1, 0} }},
		{"shares: share 1 is NaN", func(c *federate.Config) { c.Shares = []float64{math.NaN()} }},
		{"interference: -1", func(c *federate.Config) { c.Interference = -1 }},
		{"sparrow.probes: 0", func(c *federate.Config) { c.Schedulers = parameter.Values{"sparrow.probes": 0} }},
		{"pigeon.groupSize: 0", func(c *federate.Config) { c.Schedulers = parameter.Values{"pigeon.groupSize": 0} }},
		{"pigeon.weight: 0", func(c *federate.Config) { c.Schedulers = parameter.Values{"pigeon.weight": 0} }},
		{"outages[0]: there is no GM 2", outage(federate.Outage{Subject: federate.GMOutage, Index: 2, Duration: 1})},
		{"outages[0]: there is no worker 10", outage(federate.Outage{Subject: federate.WorkerOutage, Index: 10, Duration: 1})},
		{"outages[0]: its time of -1 s", outage(federate.Outage{At: -federate.Second, Duration: 1})},
		{"outages[0]: its duration of 0 s", outage(federate.Outage{})},
		{"outages[0]: the subject 3", outage(federate.Outage{Subject: 3})},
		{"outages[1]: it overlaps", func(c *federate.Config) {
			c.Outages = []federate.Outage{{Index: 1, Duration: 5}, {Index: 1, At: 4, Duration: 5}}
		}},
	} {
		c := federate.Default(10, 2, 2)
		test.change(&c)
		if _, err := federate.Run(t.Context(), "megha", c, oneTask(), federate.Options{}); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	if _, err := federate.Run(t.Context(), "best", federate.Default(10, 2, 2), oneTask(), federate.Options{}); err == nil || !strings.Contains(err.Error(), "megha, megha-1, sparrow") {
		t.Errorf("an unknown scheduler: %v", err)
	}
}

func TestInterferenceThatTheClockCannotCount(t *testing.T) {
	load := oneTask()
	load.Durations[0] = 100_000_000 * federate.Second
	c := federate.Default(10, 2, 2)
	c.Interference = 100
	if _, err := federate.Run(t.Context(), "megha", c, load, federate.Options{}); err == nil || !strings.HasPrefix(err.Error(), "interference: a task of 100 000 000 s may run for more than") {
		t.Errorf("got %v", err)
	}
}

func TestTasksThatCanNeverRunAreSaidAndCounted(t *testing.T) {
	load := &workload.Tasks{
		Resources: []string{"cpu"},
		Jobs:      []workload.TaskJob{{Count: 2, User: -1}, {Arrival: federate.Second, First: 2, Count: 1, User: -1}},
		Durations: []federate.Time{1, 2, 3}, KindOf: []int32{1, 0, 2},
		Kinds: []workload.TaskKind{
			{Request: []cluster.Amount{2}}, {Request: []cluster.Amount{9}}, {Request: []cluster.Amount{1}, Constraints: 1 << 5},
		},
	}
	c := federate.Default(4, 1, 1)
	c.Capacity, c.Machines = []cluster.Amount{8}, []uint64{0, 1, 1 << 4, 1 << 6}
	before, err := federate.FindNever(c, load)
	if err != nil || len(before) != 2 || before[0].Tasks != 1 || before[0].Job != 0 || before[1].Job != 1 {
		t.Fatalf("before the run: %+v, %v", before, err)
	}
	for _, name := range []string{"megha", "megha-1", "ideal"} {
		r, err := federate.Run(t.Context(), name, c, load, federate.Options{})
		if err != nil || r.Tasks != 1 || r.Jobs != 1 || len(r.Never) != 2 || len(r.Stalled) > 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// Records and results have the numbers of the workload, even if a task can never run and the tasks
// of jobs are not in order.
func TestTasksKeepTheirNumbers(t *testing.T) {
	load := later()
	load.Jobs = append(load.Jobs, workload.TaskJob{Arrival: 9 * federate.Second, First: 2, Count: 1, User: -1})
	load.Jobs[0].First, load.Jobs[1].First, load.Jobs[2].First = 2, 1, 0
	load.Durations, load.KindOf = append(load.Durations, 10*federate.Second), []int32{0, 1, 0}
	load.Kinds = append(load.Kinds, workload.TaskKind{Request: []cluster.Amount{9 * cluster.Unit}})
	started := map[int32]federate.Time{}
	r := must.Get(federate.Run(t.Context(), "ideal", federate.Default(4, 1, 1), load, federate.Options{Trace: func(r federate.Record) {
		if r.Action == federate.Started {
			started[r.Task] = r.At
		}
	}}))(t)
	if len(started) != 2 || started[2] != 0 || started[0] != 9*federate.Second {
		t.Errorf("started: %v", started)
	}
	if want := []federate.Time{0, -1, 0}; !slices.Equal(r.Waits, want) || r.Arrivals(load)[0] != 9*federate.Second || r.Arrivals(load)[1] != 5*federate.Second {
		t.Errorf("waits %v, want %v; arrivals %v", r.Waits, want, r.Arrivals(load))
	}
}

// Tasks that can never run change nothing for the others: not the users of their jobs, not the
// start of the clock, and not whether a scheduler suits them.
func TestTasksThatCanNeverRunChangeNothingForOthers(t *testing.T) {
	load := later()
	load.Kinds = append(load.Kinds, workload.TaskKind{Request: []cluster.Amount{9 * cluster.Unit}})
	load.KindOf[0] = 1
	c := federate.Default(4, 2, 1)
	c.Costs = federate.Costs{}
	for name, want := range map[string]federate.Time{
		"megha": c.Delay + c.LaunchDelay, "pigeon": c.Delay + c.LaunchDelay, "sparrow": 2*c.Delay + c.LaunchDelay, "ideal": 0,
	} {
		if err := federate.Suits(name, c, load); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var times []federate.Time
		r := must.Get(federate.Run(t.Context(), name, c, load, federate.Options{Trace: func(r federate.Record) {
			if r.Action == federate.Started {
				times = append(times, r.At)
			}
		}}))(t)
		if at := 5*federate.Second + want; len(times) != 1 || times[0] != at || r.Waits[1] != want {
			t.Errorf("%s: the task starts at %v ns after %v, want %d", name, times, r.Waits, at)
		}
		if len(r.Series.Share) != 2 || r.Series.Share[0][len(r.Series.Share[0])-1] != 0 || r.Series.Share[1][len(r.Series.Share[1])-1] == 0 {
			t.Errorf("%s: the second of the two users is not the one with the task", name)
		}
	}
}
