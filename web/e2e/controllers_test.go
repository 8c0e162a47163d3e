package e2e

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/scenario/simulate"
)

const webList = `[{"name": "web", "kind": "deployment", "class": "silver", "replicas": 2, "cpu": 0.5, "memory": 0.5, "duration": 120, "measure": "aggregated"}]`

// controllers is the table of the results, cell by cell.
func (p *tab) controllers() [][]string {
	p.t.Helper()
	return eval[[][]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((row) => [...row.cells].map((cell) => cell.title || cell.textContent.trim()))`,
		testID("qos-controllers")+" tbody tr"))
}

// The experiment of section 7.2.6 of the thesis has the same report as natively,
// and its controllers and instances are shown as such.
func TestQoSExampleWithControllers(t *testing.T) {
	t.Parallel()
	p := openQoS(t)
	p.pressNamed("^Examples$")
	p.click(testID("example-deployments"))
	report := p.wantSimulated(example(t, "deployments"))
	p.waitForText(testID("qos-controllers-summary"), "priority: 50 of 53 controllers kept their SLO")
	p.waitForText(testID("qos-why"), "of the controller service-")
	p.pressNamed("^Availability$")
	p.wait(testID("qos-controllers-strips") + " svg, " + testID("qos-controllers-strips") + " canvas")
	rows := p.controllers()
	all := report.QoS.Policies[0].Run.Controllers
	if len(rows) != 2*len(all) {
		t.Fatalf("%d rows, want %d", len(rows), 2*len(all))
	}
	for i, c := range all {
		if rows[i][1] != c.Name || rows[i][6] != fmt.Sprint(c.Availability) || strings.HasSuffix(rows[i][7], "yes") != c.Met {
			t.Errorf("row %d is %q, want %+v", i, rows[i], c)
		}
	}
	name, data := p.saved(func() { p.click(testID("qos-controllers-csv")) })
	if want, err := simulate.ControllersTable(report.QoS); err != nil || string(data) != string(want) || !strings.HasSuffix(name, ".controllers.csv") {
		t.Errorf("%v: %s is\n%s", err, name, data)
	}
	p.accessible("the controllers")
	p.screenshot("qos-controllers")
}

// A list is dropped, edited, taken back and shared.
func TestQoSControllersAreEdited(t *testing.T) {
	t.Parallel()
	p, s := few(t)
	p.drop(writeFile(t, "web.json", webList))
	p.waitFor(`document.querySelector("#qos-controller-0-name")?.value == "web"`)
	s.QoS.Controllers = []simulate.Controller{{
		Name: "web", Kind: "deployment", Class: "silver", Replicas: 2, CPU: 0.5, Memory: 0.5, Duration: 120, Measure: "aggregated",
	}}
	p.wantSimulated(s)
	p.fill("#qos-controller-0-instances", "3")
	p.press("\t")
	s.QoS.Controllers[0].Replicas = 3
	p.wantSimulated(s)
	p.pick("#qos-controller-0-measure", "concurrent")
	s.QoS.Controllers[0].Measure = "concurrent"
	p.wantSimulated(s)
	p.pressNamed("^Undo")
	s.QoS.Controllers[0].Measure = "aggregated"
	p.wantSimulated(s)
	p.fill("#qos-controller-0-cpu", "none")
	p.press("\t")
	p.waitForText(".pane-input .problem", "not a number from")
	p.drop(writeFile(t, "wrong.json", strings.ReplaceAll(webList, "silver", "tin")))
	p.waitForText(".pane-input .problem", `wrong.json:1:49: [0].class: found "tin", expected one of`)
	p.pressNamed("^Remove controller web$")
	s.QoS.Controllers = nil
	p.wantSimulated(s)
}
