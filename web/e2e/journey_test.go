package e2e

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// A step is a part of a journey: a subtest on the page that the earlier steps used. It first brings
// the page to its starting point, so that -run can run it alone, and leaves nothing pinned.
type step func(t *testing.T, p *tab)

// journey takes the steps one after the other, because loading a page costs more than most steps. A
// failed step ends the journey, because it may have left the page in any state.
func (p *tab) journey(steps ...step) {
	for _, do := range steps {
		name := runtime.FuncForPC(reflect.ValueOf(do).Pointer()).Name()
		p.step(name[strings.LastIndex(name, ".")+1:], func(t *testing.T) { do(t, p) })
	}
}

// step runs a subtest on the page.
func (p *tab) step(name string, do func(t *testing.T)) {
	whole := p.t.(*testing.T)
	defer func() { p.t = whole }()
	ok := whole.Run(name, func(t *testing.T) {
		p.t = t
		do(t)
		p.screenshot(name)
		for _, fault := range p.takeFaults() {
			t.Error(fault)
		}
	})
	if !ok {
		whole.FailNow()
	}
}

// begin opens the link to a scenario from any state of the page: it closes dialogs,
// groups of fields and editors, and dismisses errors. A page that shows the scenario
// already keeps it.
func (p *tab) begin(view string, s scenario.Scenario) {
	p.t.Helper()
	if path := eval[string](p, "location.pathname"); path != "/" && path != "/placement" && path != "/qos" && path != "/federate" {
		p.visit(view)
	}
	_, fragment, _ := strings.Cut(linkTo(p.t, s), "#")
	eval[any](p, fmt.Sprintf(`document.querySelector("dialog[open] [aria-label=Close]")?.click();
		document.querySelectorAll("main details[open]").forEach((e) => { e.open = false; });
		document.querySelectorAll(".source-name[aria-expanded=true]").forEach((e) => e.click());
		document.querySelector(%q)?.click();`, testID("error")+":not([hidden]) button"))
	p.waitFor(`!document.querySelector(".source-name[aria-expanded=true]")`)
	shown := fmt.Sprintf(`[...document.querySelectorAll("[data-testid$=status][data-state=done]")].some((e) => e.checkVisibility() && e.dataset.scenario == %q)`, s.Hash())
	if eval[bool](p, shown) {
		return
	}
	eval[any](p, `globalThis.follows = true;
		new MutationObserver((_, o) => { follows = false; o.disconnect(); }).observe(document.body, { subtree: true, attributeFilter: ["data-state"] });
		history.replaceState(history.state, "", location.pathname);
		location.hash = `+quote(fragment))
	// A result that was computed before may appear without a running state.
	p.waitFor(fmt.Sprintf("(!follows || %s) && document.title.includes(%q) && %s", shown, view, closed))
}

// smallScenario has two jobs on two clusters.
func smallScenario(t testing.TB) scenario.Scenario {
	t.Helper()
	s := example(t, "shop")
	s.Name = ""
	d := placementkind.Of(s)
	d.Federation = placementkind.GraphSource{Name: "clusters.dot", Text: twoClusters}
	d.Deployments = []placementkind.GraphSource{{Name: "jobs.dot", Text: twoJobs}}
	return s
}

// small brings the page to two jobs on two clusters.
func (p *tab) small() scenario.Scenario {
	p.t.Helper()
	s := smallScenario(p.t)
	p.begin("Placement", s)
	p.waitForScenario(s)
	return s
}

// shop brings the page to its first example, with all strategies compared.
func (p *tab) shop() {
	p.t.Helper()
	s := example(p.t, "shop")
	p.begin("Placement", s)
	p.waitForScenario(s)
	p.waitFor(compared)
}

// editor is like small, but with an open editor that has replaced its text area.
func (p *tab) editor(name string) scenario.Scenario {
	p.t.Helper()
	s := p.small()
	p.showInputs()
	p.pressNamed(name + "$")
	p.wait(content)
	return s
}

// fewScenario has five requests on three hosts.
func fewScenario(t testing.TB) scenario.Scenario {
	t.Helper()
	s := example(t, "validation-1")
	s.Name = ""
	d := qoskind.Of(s)
	d.Workload = scenario.Source{Name: "few.csv", Text: fewRequests}
	d.Hosts = scenario.Source{Name: "three.csv", Text: threeHosts}
	d.Overheads = &scenario.Source{Name: "two.csv", Text: twoOverheads}
	return s
}

// few brings the page to five requests on three hosts.
func (p *tab) few() scenario.Scenario {
	p.t.Helper()
	s := fewScenario(p.t)
	p.begin("QoS", s)
	p.waitForSimulation(s)
	return s
}

// validation brings the page to the example that QoS opens with.
func (p *tab) validation() {
	p.t.Helper()
	s := example(p.t, "validation-1")
	p.begin("QoS", s)
	p.waitForSimulation(s)
}

// slotsScenario has a small trace as the user's own file.
func slotsScenario(t testing.TB) scenario.Scenario {
	t.Helper()
	s := masters(t)
	d := *federatekind.Of(s)
	s.Body, s.Name = &d, "slots"
	d.Trace.Name, d.Trace.Text, d.Trace.Recipe = "slots.tr", slots, nil
	d.Workers, d.GMs, d.LMs = 4, 2, 2
	d.Pigeon = &federatekind.Pigeon{GroupSize: new(2), Reserved: new(1), Cutoff: new(3.0), Weight: new(10)}
	return s
}

// slots brings the page to a small trace as the user's own file.
func (p *tab) slots() scenario.Scenario {
	p.t.Helper()
	s := slotsScenario(p.t)
	p.begin("Federate", s)
	p.runUntil(fmt.Sprintf("%s[data-scenario=%q]", fedDone, s.Hash()))
	return s
}

// masters brings the page to the example that Federate opens with.
func (p *tab) masters() {
	p.t.Helper()
	s := masters(p.t)
	p.begin("Federate", s)
	p.runUntil(fmt.Sprintf("%s[data-scenario=%q]", fedDone, s.Hash()))
}
