package e2e

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/scenario"
)

func filesOfOtherSystemsAreOfferedThere(t *testing.T, p *tab) {
	p.shop()
	shown := p.placement()
	p.upload(testID("file-deployment"), must.File(t, "jobs.tr", "0 2 5 4 6\n1 1 5 5\n"))
	p.waitForText(testID("wrong-file"), "jobs.tr: this is a trace of jobs, which Federate reads. Open it there?")
	if got := p.placement(); len(got) != len(shown) {
		t.Errorf("%d jobs are placed, before %d", len(got), len(shown))
	}
	p.screenshot("wrong-file")
	p.do(phone)
	p.click(testID("pin"))
	p.wait(".toast")
	if eval[bool](p, `document.querySelector(".toasts").getBoundingClientRect().bottom > document.querySelector(".notices").getBoundingClientRect().top`) {
		t.Error("what is told for a moment covers what asks for an answer")
	}
	p.do(wide)
	p.pressNamed("^Open in Federate$")
	p.waitFor(`location.pathname == "/federate"`)
	p.waitForText(".federate .pane-input", "jobs.tr")
	p.waitForText(".federate .result-status", "3 tasks of 2 jobs")
	p.waitFor(`document.querySelector(".federate .result-status").dataset.state == "done"`)

	p.upload(testID("fed-trace"), must.File(t, "shop.dot", twoJobs))
	p.waitForText(testID("wrong-file"), "shop.dot: this is a graph in DOT, which Placement reads.")
	p.pressNamed("^Open in Placement$")
	p.waitForText(".placement .pane-input", "shop.dot")
	p.upload(testID("file-federation"), must.File(t, "letter.txt", "Dear reader,"))
	p.waitForError("letter.txt is neither a graph in DOT, GraphML, GML, GEXF, Mermaid, JSON or CSV, objects of Kubernetes nor a scenario. Nothing was changed.")
}

// The beginning of a file identifies its kind, even if the file is too large for the
// page.
func largeFilesOfOtherSystemsAreOfferedThere(t *testing.T, p *tab) {
	p.shop()
	trace := strings.Repeat("0 2 5 4 6\n1 1 5 5\n", 20_000)
	p.upload(testID("file-deployment"), must.File(t, "long.tr", trace))
	p.waitForText(testID("wrong-file"), "long.tr: this is a trace of jobs, which Federate reads.")
	p.upload(testID("file-deployment"), must.File(t, "long.txt", strings.Repeat("Dear reader,\n", 30_000)))
	p.waitForError("long.txt is neither a graph in DOT", "Nothing was changed.")
	p.visit("Federate")
	p.wait(fedDone)
	kept := slotsScenario(t)
	federatekind.Of(kept).Trace.Name, federatekind.Of(kept).Trace.Text = "kept.tr", trace
	p.upload(testID("fed-trace"), must.File(t, "kept.json", string(scenario.Encode(kept))))
	p.waitForText(".federate .pane-input", "kept.tr")
}

// The most important columns fit into the pane; the others are a choice.
func comparisonOfClassesFitsItsPane(t *testing.T, p *tab) {
	p.validation()
	p.waitForText(testID("qos-classes"), "priority")
	shown := `[...document.querySelectorAll("[data-testid=qos-classes] th")].filter((e) => e.checkVisibility()).map((e) => e.innerText.trim()).join()`
	if got := strings.ReplaceAll(eval[string](p, shown), "\n", " "); got != "policy,class,fulfilled,mean availability,penalty,preemptions" {
		t.Errorf("the columns are %s", got)
	}
	for _, table := range []string{"#qos-classes-table", "#qos-policies"} {
		if wide := eval[int](p, fmt.Sprintf("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(%q))", table)); wide > 0 {
			t.Errorf("%s is %d px wider than its pane", table, wide)
		}
	}
	p.screenshot("qos-compare")
	p.pressNamed("^Columns \\(4 of 13\\)$")
	p.click("label[for=qos-column-Gini]")
	p.waitFor(shown + `.includes("Gini")`)
	p.click("label[for=qos-column-penalty]")
	p.waitFor("!" + shown + `.includes("penalty")`)
	p.reload()
	p.wait(qosDone)
	p.waitFor(shown + `.includes("Gini") && !` + shown + `.includes("penalty")`)
}
