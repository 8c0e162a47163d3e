package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/qos/qoskind"
)

// controllers returns the table of results, cell by cell.
func (p *tab) controllers() [][]string {
	p.t.Helper()
	return eval[[][]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((row) => [...row.cells].map((cell) => cell.title || cell.textContent.trim()))`,
		testID("qos-controllers")+" tbody tr"))
}

// The experiment of section 7.2.6 of the thesis gives the native report, and shows its
// controllers and instances.
func qosExampleWithControllers(t *testing.T, p *tab) {
	p.validation()
	p.pressNamed("^Examples$")
	p.click(testID("example-deployments"))
	report := p.wantSimulated(example(t, "deployments"))
	p.waitForText(testID("qos-controllers-summary"), "priority: 50 of 53 controllers kept their SLO")
	p.waitForText(testID("qos-why"), "of the controller service-")
	p.pressNamed("^Availability$")
	p.wait(testID("qos-controllers-strips") + " svg, " + testID("qos-controllers-strips") + " canvas")
	rows := p.controllers()
	all := qoskind.ReportOf(report).Policies[0].Run.Controllers
	if len(rows) != 2*len(all) {
		t.Fatalf("%d rows, want %d", len(rows), 2*len(all))
	}
	for i, c := range all {
		if rows[i][1] != c.Name || rows[i][6] != fmt.Sprint(c.Availability) || strings.HasSuffix(rows[i][7], "yes") != c.Met {
			t.Errorf("row %d is %q, want %+v", i, rows[i], c)
		}
	}
	name, data := p.saved(func() { p.click(testID("qos-controllers-csv")) })
	if want := qoskind.ControllersTable.CSV(qoskind.ReportOf(report)); string(data) != string(want) || !strings.HasSuffix(name, ".controllers.csv") {
		t.Errorf("%s is\n%s", name, data)
	}
	p.accessible("the controllers")
}

// A user edits a long list page by page, also by keyboard.
func qosLongListsOfControllersAreTurnedPageByPage(t *testing.T, p *tab) {
	s := p.few()
	for i := range 81 {
		kind := "deployment"
		if i == 40 {
			kind = "statefulset"
		}
		qoskind.Of(s).Controllers = append(qoskind.Of(s).Controllers, qoskind.Controller{
			Name: fmt.Sprint("web ", i+1), Kind: kind, Class: "silver", Replicas: 1, CPU: 0.01, Memory: 0.01, Duration: 60,
		})
	}
	list := must.Get(json.Marshal(qoskind.Of(s).Controllers))(t)
	p.drop(must.File(t, "many.json", string(list)))
	const turner, fields = `.turner:has([aria-label$=" rows of controllers"])`, `[data-testid="qos-controllers-table"] tbody tr`
	p.waitForText(turner, "rows 1–40 of 81")
	p.wantSimulated(s)
	p.fill("#qos-controller-0-cpu", "x")
	p.press("\t")
	p.waitForText("#qos-controller-0-cpu-wrong", "enter a number")
	p.pick("#qos-controller-1-kind", "job")
	qoskind.Of(s).Controllers[1] = qoskind.Controller{Name: "web 2", Kind: "job", Class: "silver", Completions: 1, CPU: 0.01, Memory: 0.01, Duration: 60}
	p.wantSimulated(s)
	p.focusNamed("Next rows of controllers")
	p.press("\r")
	p.waitForText(turner, "rows 41–80 of 81")
	if got := p.value("#qos-controller-40-cpu") + " " + p.value("#qos-controller-40-kind") + " " + p.value("#qos-controller-41-kind"); got != "0.01 statefulset deployment" {
		t.Errorf("the second page begins with %s", got)
	}
	if got := p.count(".pane-input [aria-invalid], .pane-input .problem"); got != 0 {
		t.Errorf("%d marks of what was wrong on another page", got)
	}
	p.fill("#qos-controller-41-cpu", "0.02")
	p.press("\t")
	qoskind.Of(s).Controllers[41].CPU = 0.02
	p.wantSimulated(s)
	p.accessible("the second page")
	p.fits("the second page")
	p.screenshot("qos-controllers-page")
	p.focusNamed("Next rows of controllers")
	p.press("\r")
	p.waitForText(turner, "rows 81–81 of 81")
	p.pressNamed("^Remove controller web 81$")
	p.waitForText(turner, "rows 41–80 of 80")
	qoskind.Of(s).Controllers = qoskind.Of(s).Controllers[:80]
	p.wantSimulated(s)
	if got := p.count(fields); got != 40 {
		t.Errorf("%d rows are drawn", got)
	}
}
