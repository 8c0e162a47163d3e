package qoskind_test

import (
	"strings"
	"testing"

	"berth/engine/input/workload"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

func TestValidate(t *testing.T) {
	tooMuch, zero := 1e9, 0.0
	for _, test := range []struct {
		change func(d *qoskind.Document)
		want   string
	}{
		{func(d *qoskind.Document) { d.Policies = nil }, "qos.policies: missing: expected at least one policy"},
		{func(d *qoskind.Document) { d.Policies[0].Name = "best" }, `qos.policies[0].name: "best" is unknown: expected one of qos, priority, hybrid`},
		{func(d *qoskind.Document) { d.Policies[0].Name = "" }, "qos.policies[0].name: missing; known: qos, priority, hybrid"},
		{func(d *qoskind.Document) { d.Policies[1].Name = "qos" }, "qos.policies[1]: qos is given twice"},
		{func(d *qoskind.Document) { d.Policies[1].Label = "qos" }, "qos.policies[1]: qos is given twice"},
		{func(d *qoskind.Document) { d.Policies[1].Label = strings.Repeat("é", 81) }, "qos.policies[1].label: has 81 characters, at most 80"},
		{func(d *qoskind.Document) { d.Policies[1].Scheduler = "slow" }, `qos.policies[1].scheduler: "slow" is unknown: expected one of fast, literal`},
		{func(d *qoskind.Document) { d.Policies[1].HybridLimit = -1 }, "qos.policies[1].hybridLimit: found -1"},
		{func(d *qoskind.Document) { d.Policies[0].Savings = &qoskind.Savings{ScoreCaching: true} },
			"qos.policies[0].savings.cacheValidity: score caching needs one with the policy qos"},
		{func(d *qoskind.Document) { d.Workload = scenario.Source{} }, `qos.workload: needs a "text", a "recipe" or the "name" of a file`},
		{func(d *qoskind.Document) { d.Workload.Recipe = &workload.Recipe{} }, `qos.workload: has both "text" and "recipe"`},
		{func(d *qoskind.Document) {
			d.Hosts = scenario.Source{Name: "h", Recipe: &workload.Recipe{Generator: "requests"}}
		}, `qos.hosts.recipe.generator: found "requests", expected hosts`},
		{func(d *qoskind.Document) { d.Hot = d.Overheads }, "qos.overheads: is for hot and cold alike"},
		{func(d *qoskind.Document) { d.Overheads, d.Cold = nil, d.Overheads }, "qos: overheadsHot and overheadsCold go together"},
		{func(d *qoskind.Document) { d.Preset = "mine" }, `qos.preset: "mine" is unknown: expected one of logs, paper`},
		{func(d *qoskind.Document) { d.Margin = &tooMuch }, "qos.margin: found 1e+09, expected a number from 0 to 34359738 s"},
		{func(d *qoskind.Document) { d.Watchdog = &zero }, "qos.watchdog: found 0, expected a number from 0.001"},
		{func(d *qoskind.Document) { d.Horizon = -1 }, "qos.horizon: found -1, expected a number from 0.001 to 34359738 s, or 0"},
		{func(d *qoskind.Document) { d.Horizon = 1e-9 }, "qos.horizon: found 1e-09, expected"},
		{func(d *qoskind.Document) { d.Seeds = 1001 }, "qos.seeds: found 1001, expected 1 to 1000"},
		{func(d *qoskind.Document) {
			d.Workload, d.Controllers, d.Admission = scenario.Source{}, []qoskind.Controller{{Name: "c", Kind: "deployment", Class: "gold", Replicas: 1, CPU: 1, Memory: 1}}, &qoskind.Admission{Limit: 1}
		}, "qos.workload: missing: sampling"},
		{func(d *qoskind.Document) { d.Window = &workload.Window{From: 5, To: 5} }, "qos.window: "},
		{func(d *qoskind.Document) { d.Sample = &qoskind.Sample{Part: 2} }, "qos.sample.part: found 2, expected a number from 0.000001 to 1"},
		{func(d *qoskind.Document) { d.Sample = &qoskind.Sample{Groups: 51} }, "qos.sample.groups: found 51, expected 1 to 50"},
		{func(d *qoskind.Document) { d.Admission = &qoskind.Admission{} }, "qos.admission.limit: found 0, expected more than 0, at most 1"},
		{func(d *qoskind.Document) { d.Admission = &qoskind.Admission{Limit: 0.2} }, "qos.admission.atStart: missing: by default it is 0.2 less than the limit"},
		{func(d *qoskind.Document) { d.Admission = &qoskind.Admission{Limit: 0.5, AtStart: 0.6} },
			"qos.admission.atStart: found 0.6, expected a part of the hosts above 0 and up to the limit, 0.5"},
		{func(d *qoskind.Document) {
			d.Classes = []qoskind.Class{{Name: "a", SLO: 1, Priorities: []int{11, 9}}}
		}, "qos.classes[0].priorities: [11 9] has the highest first"},
		{func(d *qoskind.Document) { d.Classes = []qoskind.Class{{Name: "a", SLO: 0}} }, "qos.classes[0].slo: found 0, expected a number from 0.01 to 1"},
		{func(d *qoskind.Document) {
			d.Classes = []qoskind.Class{{Name: "a", SLO: 1}, {Name: "a", SLO: 1}}
		}, `qos.classes[1].name: the class "a" is defined twice`},
		{func(d *qoskind.Document) {
			d.Classes = []qoskind.Class{{Name: "a", SLO: 1, Bonus: []qos.Bonus{{Below: 0.5}, {Below: 0.5}}}}
		}, "qos.classes[0].bonus[1].below: found 0.5, expected more than the bound before it, 0.5"},
		{func(d *qoskind.Document) {
			d.HostEvents = []qoskind.HostEvent{{Time: 1, Host: "h", Event: "explode"}}
		}, `qos.hostEvents[0].event: "explode" is unknown: expected one of fail, leave, remove, return, add`},
	} {
		d := small()
		test.change(d)
		if err := qoskind.New("", *d).Validate(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

func TestTitles(t *testing.T) {
	for want, p := range map[string]qoskind.PolicyRun{
		"qos":         {Name: "qos", Scheduler: "fast", HybridLimit: 7},
		"hybrid(7)":   {Name: "hybrid", HybridLimit: 7},
		"qos literal": {Name: "qos", Scheduler: "literal"},
		"optimised":   {Name: "qos", Label: "optimised", Savings: &qoskind.Savings{Relaxed: 0.05}},
		"priority with score caching, equivalence class, 5 % of the hosts, safe pruning": {
			Name: "priority", Savings: &qoskind.Savings{ScoreCaching: true, EquivalenceClass: true, Relaxed: 0.05, Pruning: "safe"},
		},
	} {
		if got := p.Title(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A table of classes on the command line means the same as in a document.
func TestPaperClasses(t *testing.T) {
	d := validation(qoskind.PolicyRun{Name: "qos"})
	_, want := run(t, d)
	d.Classes = qoskind.PaperClasses()
	if _, got := run(t, d); indented(t, got) != indented(t, want) {
		t.Error("the paper's classes, given, are others than those by default")
	}
}
