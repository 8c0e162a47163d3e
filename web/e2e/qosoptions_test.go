package e2e

import (
	"testing"

	"berth/engine/must"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

func qosVariantsAreAddedAndEdited(t *testing.T, p *tab) {
	s := p.few()
	p.click(testID("qos-add-variant"))
	qoskind.Of(s).Policies = append(qoskind.Of(s).Policies, qoskind.PolicyRun{Name: "qos", Label: "qos optimised", Savings: &qoskind.Savings{
		EquivalenceClass: true, Relaxed: 0.05, Pruning: "printed",
	}})
	p.wantSimulated(s)
	p.waitForText(".policies", " operations")
	p.pressNamed("^Duplicate qos optimised")
	p.pick("#qos-variant-3-policy", "priority")
	p.fill("#qos-variant-3-label", "cached")
	p.press("\t")
	p.fill("#qos-variant-3-relaxed", "")
	p.press("\t")
	p.click("#qos-variant-3-caching")
	p.pick("#qos-variant-3-pruning", "safe")
	qoskind.Of(s).Policies = append(qoskind.Of(s).Policies, qoskind.PolicyRun{Name: "priority", Label: "cached", Savings: &qoskind.Savings{
		ScoreCaching: true, EquivalenceClass: true, Pruning: "safe",
	}})
	p.wantSimulated(s)
	p.accessible("the variants")
	p.screenshot("qos-variants")
	p.pressNamed("^Remove qos optimised")
	qoskind.Of(s).Policies = append(qoskind.Of(s).Policies[:2], qoskind.Of(s).Policies[3])
	p.wantSimulated(s)
}

func qosClassesComeFromAFileAndGoIntoOne(t *testing.T, p *tab) {
	s := p.few()
	p.pressNamed(`^Classes and SLOs`)
	const table = `{"classes":[{"name":"gold","slo":0.9},{"name":"silver","slo":0.8,"margin":"5s"},{"name":"bronze","slo":0.25,"limit":1}]}`
	p.upload(testID("qos-classes-file"), writeFile(t, "classes.json", table))
	var err error
	qoskind.Of(s).Classes = must.Get(qoskind.ParseClasses("classes.json", []byte(table)))(t)
	p.wantSimulated(s)
	p.upload(testID("qos-classes-file"), writeFile(t, "bad.json", "[\n{\"name\":\"gold\",\"slo\":9}]"))
	p.waitForText(".pane-input .problem", "bad.json:2:22: [0].slo: found 9")
	name, data := p.saved(func() { p.click(testID("qos-classes-download")) })
	again, err := qoskind.ParseClasses(name, data)
	if err != nil || len(again) != 3 || *again[1].Margin != 5 || again[0].Margin != nil {
		t.Errorf("%s has %s: %v", name, data, err)
	}
	p.fits("the classes")
	p.accessible("the classes")
	p.screenshot("qos-classes")
	p.drop(writeFile(t, "other.json", `[{"name":"gold","slo":1},{"name":"silver","slo":1},{"name":"bronze","slo":1}]`))
	qoskind.Of(s).Classes = must.Get(qoskind.ParseClasses("other.json", []byte(`[{"name":"gold","slo":1},{"name":"silver","slo":1},{"name":"bronze","slo":1}]`)))(t)
	p.wantSimulated(s)
}

func qosSamplingAndAdmission(t *testing.T, p *tab) {
	s := p.few()
	const broker = "0,1,1,ann,0,9,60,-1,1,1,x,1\n1,2,2,bob,0,5,60,-1,1,1,x,0.9\n2,3,3,ann,0,0,60,-1,1,1,x,0.5\n3,4,4,eve,0,0,60,-1,0.5,0.5,x,0.5\n"
	p.upload(testID("qos-workload"), writeFile(t, "broker.csv", broker))
	qoskind.Of(s).Workload = scenario.Source{Name: "broker.csv", Text: broker}
	p.wantSimulated(s)
	p.pressNamed(`^Sampling and admission`)
	p.fill(testID("qos-admission"), "70")
	p.press("\t")
	qoskind.Of(s).Admission = &qoskind.Admission{Limit: 0.7}
	p.wantSimulated(s)
	p.waitForText(testID("qos-remarks"), "admission control admits")
	p.fill(testID("qos-sample"), "10")
	p.press("\t")
	qoskind.Of(s).Sample = &qoskind.Sample{Part: 0.1, Seed: 1}
	p.wantSimulated(s)
	p.waitForText(".pane-input", "users with")
	p.fits("sampling and admission")
	p.accessible("sampling and admission")
	p.screenshot("qos-sift")
}

// An error is shown beside its field and announced. It stays while other fields change,
// and disappears with an undo.
func qosWrongFieldsAreToldBesideThem(t *testing.T, p *tab) {
	s := p.few()
	wrong := func(id, text string) {
		t.Helper()
		p.fill("#"+id, text)
		p.press("\t")
		p.waitForText("#"+id+"-wrong", "enter a ")
		if invalid, by := p.attribute("#"+id, "aria-invalid"), p.attribute("#"+id, "aria-describedby"); invalid != "true" || by != id+"-wrong" {
			t.Errorf("%s: aria-invalid %q, described by %q", id, invalid, by)
		}
	}
	p.pressNamed("^Classes and SLOs")
	wrong("qos-class-1-1", "2")
	p.pressNamed("^Times, limits and seeds$")
	wrong("qos-seeds", "0")
	p.accessible("two wrong fields")
	p.screenshot("qos-wrong-fields")
	p.fill("#qos-margin", "5")
	p.press("\t")
	margin := 5.0
	qoskind.Of(s).Margin = &margin
	p.wantSimulated(s)
	if got := p.value("#qos-seeds") + ", " + p.value("#qos-class-1-1"); got != "0, 2" {
		t.Errorf("the wrong fields hold %s", got)
	}
	p.fill("#qos-class-1-1", "0.5")
	p.press("\t")
	p.waitFor(`!document.getElementById("qos-class-1-1-wrong") && document.getElementById("qos-seeds-wrong")`)
	p.pressNamed("^Undo")
	p.waitFor(`!document.querySelector(".pane-input [aria-invalid], .pane-input .problem")`)
	p.waitFor(`document.getElementById("qos-seeds").value === "1"`)
	p.wantSimulated(s)
}
