package federatekind_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/input/workload"
	"berth/engine/scenario"
)

func number(v float64) *float64 { return &v }

func TestValidateNamesTheField(t *testing.T) {
	for want, change := range map[string]func(*federatekind.Document){
		"federate.gms: there are 31 for 30 workers":                            func(d *federatekind.Document) { d.GMs = 31 },
		"federate.shares: they sum to 0.9: expected 1":                         func(d *federatekind.Document) { d.Shares = []float64{0.5, 0.4} },
		"federate.shares: share 2 is -1":                                       func(d *federatekind.Document) { d.Shares = []float64{0.5, -1} },
		"federate.heartbeat: 0 s is out of range: expected more than 0":        func(d *federatekind.Document) { d.Heartbeat = number(0) },
		"federate.delay: found 0 s":                                            func(d *federatekind.Document) { d.Delay = number(0) },
		"federate.delay: -1e+09 s is out of range":                             func(d *federatekind.Document) { d.Delay = number(math.NaN()) },
		"federate.launchDelay: found 0 s":                                      func(d *federatekind.Document) { d.LaunchDelay = number(0) },
		"federate.preset: \"best\" is unknown: expected one of default, paper": func(d *federatekind.Document) { d.Preset = "best" },
		"federate.schedulers: missing: expected at least one scheduler":        func(d *federatekind.Document) { d.Schedulers = nil },
		"federate.schedulers[1]: \"best\" is unknown":                          func(d *federatekind.Document) { d.Schedulers = []string{"megha", "best"} },
		"federate.schedulers[1]: megha is given twice":                         func(d *federatekind.Document) { d.Schedulers = []string{"megha", "megha"} },
		"federate.seeds: found -1":                                             func(d *federatekind.Document) { d.Seeds = -1 },
		"federate.capacity.gpu: unknown; known: cpu, gpus, memory, slots":      func(d *federatekind.Document) { d.Capacity = map[string]float64{"gpu": 1} },
		"federate.constraints[0].machine[1]: found 2, expected a number from 0 to": func(d *federatekind.Document) {
			d.Constraints = []workload.ConstraintTable{{Machine: []float64{1, 2}}}
		},
		"federate.outages[0].subject: found \"row\", expected gm, lm, worker, rack": func(d *federatekind.Document) { d.Outages = []federatekind.Outage{{Subject: "row", Duration: 1}} },
		"federate.outages[0].rack: missing":                                         func(d *federatekind.Document) { d.Outages = []federatekind.Outage{{Subject: "rack", Duration: 1}} },
		"federate.outages[0].rack: a worker has none": func(d *federatekind.Document) {
			d.Outages = []federatekind.Outage{{Subject: "worker", Rack: "r", Duration: 1}}
		},
		"federate.outages[0]: there is no GM 3: expected 0 to 2": func(d *federatekind.Document) {
			d.Outages = []federatekind.Outage{{Subject: "gm", Index: 3, Duration: 1}}
		},
		"federate.outages[0]: its time of -1 s is out of range": func(d *federatekind.Document) {
			d.Outages = []federatekind.Outage{{Subject: "lm", At: -1, Duration: 1}}
		},
		"federate.sweep[0].parameter: \"racks\" is unknown": func(d *federatekind.Document) { d.Sweep = []federatekind.Sweep{{Parameter: "racks"}} },
		"federate.sweep[0].values: missing":                 func(d *federatekind.Document) { d.Sweep = []federatekind.Sweep{{Parameter: "workers"}} },
		"federate.sweep[0].values[1]: found 2.5, expected a whole number": func(d *federatekind.Document) {
			d.Sweep = []federatekind.Sweep{{Parameter: "workers", Values: []float64{30, 2.5}}}
		},
		"federate.sweep[0].values[1]: 30 is given twice": func(d *federatekind.Document) {
			d.Sweep = []federatekind.Sweep{{Parameter: "workers", Values: []float64{30, 30}}}
		},
		"federate.sweep[1].parameter: workers is swept twice": func(d *federatekind.Document) {
			d.Sweep = []federatekind.Sweep{{Parameter: "workers", Values: []float64{30}}, {Parameter: "workers", Values: []float64{40}}}
		},
		"federate.sweep[1].values[1]: with 1: gms: there are 2 for 1 worker": func(d *federatekind.Document) {
			d.Sweep = []federatekind.Sweep{{Parameter: "gms", Values: []float64{2, 3}}, {Parameter: "workers", Values: []float64{30, 1}}}
		},
		"federate.sweep[0].values[0]: with 0: load: found 0": func(d *federatekind.Document) {
			d.Sweep = []federatekind.Sweep{{Parameter: "load", Values: []float64{0}}}
		},
		"federate.sweep: the schedulers, seeds and values make 3000 runs, at most 2000": func(d *federatekind.Document) {
			d.Seeds, d.Sweep = 1000, []federatekind.Sweep{{Parameter: "workers", Values: []float64{30}}}
		},
		"federate.sweep: has 3 parameters":                                                 func(d *federatekind.Document) { d.Sweep = make([]federatekind.Sweep, 3) },
		"federate.trace.recipe.generator: found \"deployment\", expected jobs":             func(d *federatekind.Document) { d.Trace.Recipe = &workload.Recipe{Generator: "deployment"} },
		"federate.trace: needs a \"text\", a \"recipe\" or the \"name\"":                   func(d *federatekind.Document) { d.Trace = scenario.Source{} },
		"federate.trace.recipe: jobs: 0 is out of range":                                   func(d *federatekind.Document) { d.Trace.Recipe.Parameters["jobs"] = 0 },
		"federate.trace.recipe: preset: \"thesis\" is unknown":                             func(d *federatekind.Document) { d.Trace.Recipe.Preset = "thesis" },
		"federate.shares: there are 2 for the 4 users of the workload":                     func(d *federatekind.Document) { d.Shares = []float64{0.5, 0.5} },
		"federate.schedulers[1]: sparrow has only slots: expected every task to take a wh": func(d *federatekind.Document) { d.Schedulers = []string{"megha", "sparrow"} },
	} {
		d := small()
		change(d)
		err := federatekind.New("", *d).Validate()
		if err == nil {
			_, err = federatekind.Prepare(t.Context(), d, scenario.Env{})
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("the error is %v, want %s and nothing else", err, want)
		}
	}
}

func TestTraceErrorsHaveTheirLine(t *testing.T) {
	for want, trace := range map[string]string{
		"jobs.tr:2:3: number_of_tasks is 3, but the line has 2 durations": "0 1 1 1\n1 3 1 1 1\n",
		"jobs.tr:1:1: arrival_s: -1 is not a time":                        "-1 1 1 1\n",
		"jobs.tr:1:1: the file is empty":                                  "\n",
		"jobs.tr:3:3: duration: -2 is not a time":                         "arrival,duration\n0,1\n0,-2\n",
	} {
		d := slots()
		d.Trace.Text = trace
		_, err := federatekind.Prepare(t.Context(), d, scenario.Env{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

func TestPrepareEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := federatekind.Prepare(ctx, slots(), scenario.Env{}); err == nil || !strings.Contains(err.Error(), "cancelled while reading the trace") {
		t.Errorf("the error is %v", err)
	}
}
