//go:build !js

package qos

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/qos/qoskind"
	"berth/examples"
)

func (b *bench) edit(i int, key, text string) {
	b.t.Helper()
	rows := b.fields.controllerRows()
	at := slices.IndexFunc(rows.Columns, func(c lab.Column[qoskind.Controller]) bool { return c.Key == key })
	b.Form.SetOption(rows.ID(i, key), rows.Columns[at].Name, text, rows.Setter(i, &rows.Columns[at]))
}

func TestControllersAreAddedEditedAndRemoved(t *testing.T) {
	b := smallQoS(t)
	before := b.Inputs.options.Controllers
	b.fields.addController()
	b.fields.addController()
	for _, e := range [][2]string{
		{"name", "store"}, {"kind", "statefulset"}, {"class", "gold"}, {"instances", "3"}, {"cpu", "0.5"}, {"memory", "0.1"}, {"gpus", "2"},
		{"measure", "concurrent"}, {"submit", "2.5"}, {"duration", "60"}, {"copies", "2"}, {"interval", "5"}, {"constraints", " disk=ssd ;cores>2;"},
	} {
		b.edit(1, e[0], e[1])
		if len(b.Form.Refused) > 0 {
			t.Fatalf("%s = %s: %s", e[0], e[1], b.Form.Refused)
		}
	}
	want := qoskind.Controller{
		Name: "store", Kind: "statefulset", Class: "gold", Replicas: 3, CPU: 0.5, Memory: 0.1, GPUs: 2, Measure: "concurrent",
		Submit: 2.5, Duration: 60, Copies: 2, Interval: 5, Constraints: []string{"disk=ssd", "cores>2"},
	}
	if got := b.Inputs.options.Controllers[1]; !reflect.DeepEqual(got, want) {
		t.Errorf("the row is %+v", got)
	}
	for _, c := range []struct{ key, text, want string }{
		{"name", "web", "already"}, {"name", " ", "needs a name"}, {"instances", "0", "whole number from 1"}, {"cpu", "0", "enter a number"},
		{"submit", "-1", "enter a number"}, {"copies", "1.5", "whole number"}, {"gpus", "1.5", "whole number"}, {"constraints", "disk", "is not a key"},
	} {
		b.edit(1, c.key, c.text)
		if !strings.Contains(b.Form.Wrong(b.fields.controllerRows().ID(1, c.key)), c.want) {
			t.Errorf("%s = %q: %q, want it to say %q", c.key, c.text, b.Form.Refused, c.want)
		}
	}
	b.edit(1, "constraints", "")
	b.edit(1, "gpus", "") // the hosts have no GPUs
	b.wantDone()
	if got := len(b.result.policies()[0].Run.Controllers); got != 3 {
		t.Errorf("%d controllers in the result, want web and two copies of store", got)
	}
	b.fields.controllerRows().Remove(b.Lab, 1)
	b.fields.controllerRows().Remove(b.Lab, 0)
	b.wantDone()
	if len(b.charts.drawn().controllerRows) > 0 {
		t.Error("the result still has controllers")
	}
	for range 4 {
		b.GoBack()
	}
	if got := b.Inputs.options.Controllers; len(got) != 2 || len(before) != 0 {
		t.Errorf("after undo there are %+v", got)
	}
}

// When the kind of a controller changes, fields that the new kind lacks are dropped, and the number
// of instances is kept.
func TestTheKindIsChanged(t *testing.T) {
	c := qoskind.Controller{Kind: "deployment", Replicas: 4, Measure: "concurrent"}
	for _, step := range []struct {
		kind string
		want qoskind.Controller
	}{
		{"cronjob", qoskind.Controller{Kind: "cronjob", Completions: 4, Duration: 60, Period: 600}},
		{"job", qoskind.Controller{Kind: "job", Completions: 4, Duration: 60}},
		{"daemonset", qoskind.Controller{Kind: "daemonset", Duration: 60}},
		{"statefulset", qoskind.Controller{Kind: "statefulset", Replicas: 1, Duration: 60}},
	} {
		if err := setKind(&c, step.kind); err != nil || !reflect.DeepEqual(c, step.want) {
			t.Errorf("%s: %v, %+v", step.kind, err, c)
		}
	}
}

const webList = `[{"name": "web", "kind": "deployment", "class": "premium", "replicas": 2, "cpu": 0.5, "memory": 0.5}]`

// Files that are dropped together may belong together: the controllers use the classes from the
// other file.
func TestControllersAreTakenFromAFile(t *testing.T) {
	b := smallQoS(t)
	lists, others := apart([]*lab.Source{
		lab.TextSource("web.json", webList), lab.TextSource("c.json", `[{"name":"premium","slo":1}]`), lab.TextSource("o.json", `{"controllers":`+webList+`}`),
	}, isControllers)
	if len(lists) != 2 || len(others) != 1 || others[0].Name != "c.json" {
		t.Fatalf("lists %v, others %v", lists, others)
	}
	b.fields.useControllers(lists[0])
	if want := `web.json:1:49: [0].class: found "premium", expected one of ["gold" "silver" "bronze"]`; b.Files.Trouble != want {
		t.Errorf("trouble %q, want %q", b.Files.Trouble, want)
	}
	b.fields.takeClasses(others)
	b.Edit("no workload", func(in *inputs) { delete(in.sources, qoskind.WorkloadSlot) })
	if b.Inputs.Missing() == "" {
		t.Error("neither a workload nor controllers, and nothing is missing")
	}
	b.fields.useControllers(lists[0])
	b.Edited(0)
	b.wantDone()
	if b.Files.Trouble != "" || len(b.result.policies()[0].Run.Controllers) != 1 || b.result.report().Workload.Requests != 0 {
		t.Errorf("trouble %q, the run had %+v", b.Files.Trouble, b.result.policies()[0].Run.Controllers)
	}
	b.setClass(0, 0, "first")
	if got := b.Inputs.options.Controllers[0].Class; got != "first" {
		t.Errorf("the class is renamed, the controller is of %q", got)
	}
}

// If another change makes a controller invalid, the error is shown at the controller.
func TestAWrongControllerIsTold(t *testing.T) {
	b := open(t)
	b.fields.addController()
	b.Form.SetOption("qos-horizon", "horizon", "", setOption("horizon"))
	b.settle()
	found := b.Form.Blamed[controllersPart]
	if b.Phase != lab.Failed || len(found) != 1 || !strings.Contains(found[0], "without a horizon a deployment would run for ever") {
		t.Fatalf("phase %s, problems %v", b.Phase, found)
	}
	b.edit(0, "duration", "60")
	b.wantDone()
	if len(b.Form.Blamed) != 0 {
		t.Errorf("still %v", b.Form.Blamed)
	}
}

// This is the experiment of the thesis: its controllers are in a table, and its instances in the
// timeline and in explanations.
func TestTheExampleWithControllers(t *testing.T) {
	b := open(t)
	for _, e := range examples.List() {
		if e.Name == "deployments" {
			b.Opening.GiveWay("open", inputsOf(&e.Scenario))
		}
	}
	b.wantDone()
	r := b.result
	if len(b.charts.drawn().controllerRows) != 2*53 || len(b.charts.drawn().controllerStrips) != 2*3 {
		t.Errorf("%d rows, %d strips", len(b.charts.drawn().controllerRows), len(b.charts.drawn().controllerStrips))
	}
	if got, want := r.controllersLine(), "priority: 50 of 53 controllers kept their SLO, mean availability 94.3\u202f%"; !strings.HasSuffix(got, want) {
		t.Errorf("got  %s\nwant … %s", got, want)
	}
	timeline := b.why.followedTimeline().Answer
	if timeline == nil || !strings.HasPrefix(timeline.drawn().Intervals[0].Label, "instance service-1-1/1 of the controller service-1-1") {
		t.Fatalf("the timeline is %+v", timeline)
	}
	b.why.goToDecision(len(timeline.stays) - 1)
	b.settle()
	if head := b.followedExplanation().head(); !strings.Contains(head, ": instance service-") || !strings.Contains(head, " in place of service-") {
		t.Errorf("the last decision: %s", head)
	}
}

// A row whose class is missing, or whose kind lacks a field, is still drawn.
func TestTextsOfControllerFields(t *testing.T) {
	b := smallQoS(t)
	b.fields.addController()
	b.Edit("remove the class", func(in *inputs) { in.options.Classes = in.classes()[:2] })
	markup := app.HTMLString(b.fields.controllerRows().Table(b.Lab, nil))
	for id, want := range map[string]string{"name": ` data-value="web"`, "instances": ` data-value="2"`, "interval": ""} {
		field := regexp.MustCompile(`<input[^>]* id="qos-controller-0-` + id + `"[^>]*`).FindString(markup)
		if !strings.Contains(field, " data-control") || want == "" == strings.Contains(field, " data-value") || !strings.Contains(field, want) {
			t.Errorf("the field of %s is %s, want%s", id, field, want)
		}
	}
	b.settle()
	if found := b.Form.Blamed[controllersPart]; len(found) != 1 || !strings.Contains(found[0], `found "bronze"`) {
		t.Errorf("problems %v", found)
	}
}
