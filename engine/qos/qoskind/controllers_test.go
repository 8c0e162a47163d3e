package qoskind_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// withControllers is the small document with one controller of each kind. The hosts have room for
// four units, and one of them fails.
func withControllers() *qoskind.Document {
	d := small()
	d.Controllers = []qoskind.Controller{
		{Name: "web", Kind: "deployment", Class: "silver", Copies: 2, Interval: 5, Replicas: 2, CPU: 0.5, Memory: 0.5, Measure: "aggregated"},
		{Name: "store", Kind: "statefulset", Class: "gold", Replicas: 2, CPU: 0.5, Memory: 0.5, Submit: 12.5, Duration: 100, Measure: "concurrent", AntiAffinity: true},
		{Name: "agent", Kind: "daemonset", Class: "bronze", CPU: 0.1, Memory: 0.1, Constraints: []string{"disk≠tape"}},
		{Name: "import", Kind: "job", Class: "bronze", Completions: 3, Parallelism: 1, CPU: 0.5, Memory: 0.5, Duration: 20},
		{Name: "backup", Kind: "cronjob", Class: "bronze", Completions: 1, Period: 200, Runs: 2, CPU: 0.5, Memory: 0.5, Submit: 50, Duration: 10},
	}
	return d
}

// alone is a document with only a controller.
func alone() *qoskind.Document {
	d := withControllers()
	d.Workload, d.Controllers = scenario.Source{}, d.Controllers[:1]
	return d
}

func TestControllersInTheReport(t *testing.T) {
	_, r := run(t, withControllers())
	golden.Check(t, "testdata/controllers.csv.txt", string(qoskind.ControllersTable.CSV(r)))
	if w := r.Workload; w.Requests != 5 || w.Instances != 2*2+2+2+3+2 || !w.AllCanRun() {
		t.Errorf("the workload is %+v; want 5 requests and 13 instances", w)
	}
	run := &r.Policies[0].Run
	instances := 0
	for _, c := range run.Controllers {
		instances += c.Instances
	}
	if run.Requests != 5+instances || run.All.Requests != run.Requests || len(r.Policies[0].Notes) != 0 {
		t.Errorf("%d requests, %d of them instances, notes %v", run.Requests, instances, r.Policies[0].Notes)
	}
}

// Without controllers the report does not mention them, and a document must have a workload.
func TestNoControllers(t *testing.T) {
	_, r := run(t, small())
	if got := indented(t, r); strings.Contains(got, "ontroller") || strings.Contains(got, `"instances"`) {
		t.Error("the report speaks of controllers")
	}
	data, err := json.Marshal(alone())
	if err != nil || strings.Contains(string(data), `"workload"`) {
		t.Errorf("%v: a document without a workload has one: %s", err, data)
	}
}

func TestControllersAlone(t *testing.T) {
	d := alone()
	d.Seeds = 3
	_, r := run(t, d)
	p := &r.Policies[0]
	if p.Run.Requests != 4 || len(p.Run.Controllers) != 2 || p.Run.Controllers[1].Name != "web-2" || p.Seeds.Of.At("controllers.availability").N != 3 {
		t.Errorf("%d requests, %+v, over seeds %+v", p.Run.Requests, p.Run.Controllers, p.Seeds.Of)
	}
	d.Controllers[0].Submit = 1000
	_, r = run(t, d)
	if r.Policies[0].Run.Start != 1000 {
		t.Errorf("it begins at %v, want when the first controller comes", r.Policies[0].Run.Start)
	}
}

// The list, the timeline and explanations name an instance after its controller.
func TestInstancesInListTimelineAndWhy(t *testing.T) {
	e, r := run(t, withControllers())
	list := must.Get(e.List(t.Context(), qoskind.PolicyQuery{}))(t)
	for _, want := range []string{"qos,web-1/2,silver,0,", "qos,a,bronze,0,", "qos,agent/2,bronze,0,", "qos,backup-2/1,bronze,250,", "qos,import/1,bronze,0,"} {
		if !strings.Contains(string(list.Data), "\n"+want) {
			t.Errorf("the list has no line %s…\n%s", want, list.Data)
		}
	}
	timeline := must.Get(e.Timeline(t.Context(), qoskind.PolicyQuery{}))(t)
	if len(timeline.Requests) != r.Policies[0].Run.Requests {
		t.Fatalf("the timeline has %d requests, the run %d", len(timeline.Requests), r.Policies[0].Run.Requests)
	}
	found := false
	for i, request := range timeline.Requests {
		if request.ID != "store/1" {
			continue
		}
		found = true
		why := must.Get(e.Why(t.Context(), qoskind.WhyQuery{Request: i, Time: request.Submit}))(t)
		if a := why.Request; a.ID != "store/1" || a.Controller != "store" || a.Class != "gold" || why.Time != 12.5 {
			t.Errorf("asked about store/1 at 12.5 s, it explains %+v at %v", a, why.Time)
		}
	}
	if !found {
		t.Error("store/1 is not in the timeline")
	}
	if _, err := e.Why(t.Context(), qoskind.WhyQuery{Request: 18}); err == nil {
		t.Error("there is a request 18 of 18")
	}
}

// Requests, and instances with a given time of arrival, have the same position under every policy,
// so they can be compared.
func TestInstancesThatFollowTheRunAreNotPaired(t *testing.T) {
	e, r := run(t, withControllers())
	for policy := range 2 {
		// 5 requests, 4 of web, 2 of agent, 2 of backup
		paired, err := qoskind.ReadOutcomes(r.Classes, e.Arrays()[qoskind.OutcomeArray(policy)])
		if err != nil || paired.Requests != 13 {
			t.Errorf("policy %d: %+v to compare, want 13 (%v)", policy, paired, err)
		}
	}
}

func TestValidateControllers(t *testing.T) {
	const at = "qos.controllers[0]"
	for _, test := range []struct {
		change func(d *qoskind.Document, c *qoskind.Controller)
		want   string
	}{
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Name = "" }, at + ".name: missing"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Name = "store" }, `qos.controllers[1].name: there are two controllers "store"`},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Kind = "pod" }, at + `.kind: "pod" is unknown: expected one of deployment, statefulset, daemonset, job, cronjob`},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Class = "" }, at + `.class: found "", expected one of ["gold" "silver" "bronze"]`},
		{func(d *qoskind.Document, c *qoskind.Controller) {
			d.Classes = []qoskind.Class{{Name: "silver", SLO: 0.9}}
		}, `qos.controllers[1].class: found "gold", expected one of ["silver"]`},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Replicas = 0 }, at + ".replicas: found 0, expected a number from 1 to 100000"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Completions = 2 }, at + ".completions: is not for a deployment, only for a job"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Period = 2 }, at + ".period: is not for a deployment, only for a cronjob"},
		{func(d *qoskind.Document, c *qoskind.Controller) { d.Controllers[2].Replicas = 1 }, "qos.controllers[2].replicas: is not for a daemonset"},
		{func(d *qoskind.Document, c *qoskind.Controller) { d.Controllers[3].Parallelism = -1 }, "qos.controllers[3].parallelism: found -1"},
		{func(d *qoskind.Document, c *qoskind.Controller) { d.Controllers[4].Period = 0 }, "qos.controllers[4].period: found 0, expected a number from 0.001"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Copies = -1 }, at + ".copies: found -1, expected a number from 0 to 10000"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Copies, c.Interval = 3, 3e7 }, at + ".interval: the last copy comes at 6e+07 s"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.CPU = 0 }, at + ".cpu: found 0, expected a number from 0.000000001"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Memory = 1e10 }, at + ".memory: found 1e+10"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Submit = -1 }, at + ".submit: found -1"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Duration = 0.0001 }, at + ".duration: found 0.0001, expected a number from 0.001"},
		{func(d *qoskind.Document, c *qoskind.Controller) { d.Horizon = 0 }, at + ".duration: missing: without a horizon a deployment would run for ever"},
		{func(d *qoskind.Document, c *qoskind.Controller) { d.Controllers[3].Duration = 0 }, "qos.controllers[3].duration: missing: the instances of a job"},
		{func(d *qoskind.Document, c *qoskind.Controller) {
			d.Controllers, d.Horizon = d.Controllers[4:], 0
			d.Controllers[0].Runs = 0
		}, at + ".runs: missing: without a horizon a cronjob"},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Measure = "mean" }, at + `.measure: "mean" is unknown: expected one of independent, concurrent, aggregated`},
		{func(d *qoskind.Document, c *qoskind.Controller) { d.Controllers[3].Measure = "independent" }, `qos.controllers[3].measure: found "independent": a job is aggregated`},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Constraints = []string{"disk=ssd", "disk"} }, at + `.constraints[1]: "disk" is not a key, an operator`},
		{func(d *qoskind.Document, c *qoskind.Controller) { c.Constraints = make([]string, 51) }, at + ".constraints: has 51 entries, at most 50"},
		{func(d *qoskind.Document, c *qoskind.Controller) {
			d.Controllers = make([]qoskind.Controller, 1001)
		}, "qos.controllers: has 1001 entries, at most 1000"},
	} {
		d := withControllers()
		test.change(d, &d.Controllers[0])
		if err := qoskind.New("", *d).Validate(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

// Controllers that only the hosts or the horizon show to be too many or too large are an error
// before the run, or a warning.
func TestControllersThatAreTooManyOrTooLarge(t *testing.T) {
	refused := func(want string, change func(d *qoskind.Document)) {
		t.Helper()
		d := withControllers()
		change(d)
		_, err := qoskind.Prepare(t.Context(), d, scenario.Env{})
		if input, ok := errors.AsType[*scenario.InputError](err); !ok || !strings.HasPrefix(err.Error(), want) || input.Diagnostics[0].Path != strings.SplitN(want, ":", 2)[0] {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	refused("qos.controllers[4]: up to this one there are 10005 controllers", func(d *qoskind.Document) {
		d.Controllers[4].Runs, d.Controllers[4].Period, d.Horizon = 10_000, 0.001, 100
	})
	refused("qos.controllers[4]: up to this one there are 600006 controllers", func(d *qoskind.Document) {
		d.Controllers[4].Runs, d.Controllers[4].Period = 0, 0.001
	})
	refused("qos.controllers[3]: up to this one there are 5 controllers (each job of a cronjob is one) with 100008 instances", func(d *qoskind.Document) {
		d.Controllers[3].Completions = 100_000
	})
	d := withControllers()
	d.Controllers[0].CPU, d.Controllers[1].Submit = 3, 5000
	e := prepare(t, d, scenario.Env{})
	if e.Inputs().Workload.AllCanRun() || !strings.Contains(strings.Join(e.Warnings(), "\n"), "the instances of 2 of 6 controllers fit no host, even an empty one; the first is web-1") {
		t.Errorf("warnings %q", e.Warnings())
	}
	r, _ := carriedOut(t, t.Context(), e, nil)
	if notes := strings.Join(r.Policies[0].Notes, "\n"); notes != "qos: 1 of 6 controllers submits nothing before the end; the first is store" {
		t.Errorf("notes %q", notes)
	}
}
