package e2e

import (
	"testing"

	"berth/engine/qos/qoskind"
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
	for _, group := range []string{"^Controllers", "^Sampling and admission", "^Failures of hosts$"} {
		p.pressNamed(group)
	}
	p.fits("the options")
	p.accessible("the options, with two wrong fields")
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
