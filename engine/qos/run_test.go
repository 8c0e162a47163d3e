package qos_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/qos/qostest"
	"berth/engine/sim"
)

func TestCancelLeavesAPartialReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g := googleLike(50000, 12*sim.Hour)
	config := benchConfig(qos.QoSDriven())
	var last qos.Progress
	config.Progress = func(p qos.Progress) {
		last = p
		if p.Fraction() > 0.3 {
			cancel()
		}
	}
	input := qos.Input{Hosts: workload.GoogleHosts(2000, 1), Requests: g.Stream(), InAll: g.Requests}
	r := must.Get(qos.Run(ctx, input, config))(t)
	if !r.Partial || r.Requests < 15000 || r.Requests > 25000 || r.Requests != last.Requests {
		t.Errorf("partial %t with %d requests, %d at the last report; want about 15000", r.Partial, r.Requests, last.Requests)
	}
	report := r.Report()
	if report.All.Requests != r.Requests || report.All.Availability.Mean <= 0 {
		t.Errorf("the report has %+v", report.All)
	}
}

func TestProgressEndsAtOne(t *testing.T) {
	s := qostest.Random(4)
	s.Config.Policy = qos.QoSDriven()
	var last qos.Progress
	s.Config.Progress = func(p qos.Progress) { last = p }
	must.Get(qos.Run(t.Context(), s.Input(), s.Config))(t)
	if last.Fraction() != 1 || last.Events == 0 {
		t.Errorf("the last report is %+v, of fraction %v", last, last.Fraction())
	}
}

func one(submit sim.Milliseconds, cpu cluster.Amount) workload.Request {
	return workload.Request{Submit: submit, Duration: sim.Second, CPU: cpu, Memory: cluster.Unit, Class: "gold"}
}

func run(t *testing.T, config qos.Config, requests ...workload.Request) (*qos.Result, error) {
	t.Helper()
	hosts := []cluster.Host{{Name: "only", CPU: cluster.Unit, Memory: cluster.Unit}}
	return qos.Run(t.Context(), qos.Input{Hosts: hosts, Requests: &workload.Slice{Requests: requests}}, config)
}

func TestRequestsThatFitNoHostAreCountedAndDoNotStopTheRun(t *testing.T) {
	r := must.Get(run(t, benchConfig(qos.QoSDriven()), one(0, 2*cluster.Unit), one(5000, cluster.Unit)))(t)
	if r.Hopeless != 1 || r.Decisions != 1 || r.End < 6000 || r.End > sim.Hour {
		t.Errorf("%d hopeless, %d decisions, end at %d ms; want 1, 1 and soon after 6000", r.Hopeless, r.Decisions, r.End)
	}
	if a, _ := r.Availability(0); a != 0 {
		t.Errorf("the hopeless request has an availability of %v", a)
	}
}

func TestRunRefusesWhatItCannotDo(t *testing.T) {
	good := benchConfig(qos.QoSDriven())
	if _, err := run(t, good, one(2000, 1), one(1000, 1)); !errors.Is(err, workload.ErrOrder) {
		t.Errorf("out of order: %v", err)
	}
	strange := one(0, 1)
	strange.Class, strange.Priority = "platinum", workload.NoPriority
	if _, err := run(t, good, strange); err == nil || !strings.Contains(err.Error(), `"platinum", which no table defines`) {
		t.Errorf("an unknown class: %v", err)
	}
	for name, spoil := range map[string]func(*qos.Config){
		"no policy":         func(c *qos.Config) { c.Policy = qos.Policy{} },
		"no hot overheads":  func(c *qos.Config) { c.HotSet = nil },
		"no cold overheads": func(c *qos.Config) { c.ColdSet = nil },
	} {
		c := benchConfig(qos.QoSDriven())
		spoil(&c)
		if _, err := run(t, c, one(0, 1)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := qos.Run(t.Context(), qos.Input{Requests: &workload.Slice{}}, good); err == nil {
		t.Error("no hosts: no error")
	}
	var huge []cluster.Host // does not fit into 64 bits
	for i := range 10 {
		huge = append(huge, cluster.Host{Name: fmt.Sprint(i), CPU: cluster.Unit, Memory: cluster.MaxAmount})
	}
	if _, err := qos.Run(t.Context(), qos.Input{Hosts: huge, Requests: &workload.Slice{}}, good); err == nil {
		t.Error("hosts with too much in all: no error")
	}
}

// A request that fits no host waits forever, even if no other event remains.
func TestWaitingForEver(t *testing.T) {
	for _, literal := range []bool{false, true} {
		c := benchConfig(qos.QoSDriven())
		c.Horizon, c.Literal = 0, literal
		r := must.Get(run(t, c, one(0, 2*cluster.Unit)))(t)
		if a, class := r.Availability(0); a != 0 || r.Classes[class].Fulfilled != 0 || r.Hopeless != 1 {
			t.Errorf("availability %v, %d fulfilled, %d hopeless; want 0, 0 and 1", a, r.Classes[class].Fulfilled, r.Hopeless)
		}
	}
}

func TestInspect(t *testing.T) {
	input := qos.Input{Hosts: []cluster.Host{{Name: "only", CPU: cluster.Unit, Memory: cluster.Unit}}}
	requests := &workload.Slice{Requests: []workload.Request{one(5000, 1), one(1000, 2*cluster.Unit), one(9000, 1)}}
	requests.Requests[1].ID, requests.Requests[2].ID, requests.Requests[2].SLO = "x", "x", 0.99
	got, err := qos.Inspect(requests, input, benchConfig(qos.QoSDriven()))
	want := qos.Inspection{Requests: 3, First: 1000, Last: 9000, Hopeless: qos.Noted{N: 1, First: "x"}, Most: cluster.Resources{CPU: 2 * cluster.Unit, Memory: one(0, 0).Memory}, OtherSLO: qos.Noted{N: 1, First: "x"}, Repeated: qos.Noted{N: 1, First: "x"}}
	if err != nil || *got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

// Section 4.4.2 expects this of the second validation test: by priority the first 200 requests get
// everything and the last 21 nothing; with the QoS-driven policy each comes close to its SLO of 90
// %.
func TestValidation2(t *testing.T) {
	for _, policy := range []qos.Policy{qos.PriorityBased(), qos.QoSDriven()} {
		config := benchConfig(policy)
		config.Horizon = 3599 * sim.Second
		input := qos.Input{Hosts: workload.ValidationHosts(), Requests: &workload.Slice{Requests: workload.Validation2(1)}}
		r := must.Get(qos.Run(t.Context(), input, config))(t)
		a := r.Availabilities(1)
		switch {
		case len(a) != 221:
			t.Fatalf("%d requests, want 221", len(a))
		case policy.Name == "priority" && (a[20] != 0 || a[21] != 1 || r.Preemptions != 0):
			t.Errorf("priority: %v and %v, %d preemptions; want 0, 1 and none", a[20], a[21], r.Preemptions)
		case policy.Name == "qos" && (a[0] < 0.88 || a[220] > 0.92):
			t.Errorf("qos: from %v to %v, want about 0.9", a[0], a[220])
		}
	}
}
