package e2e

import (
	"testing"

	"berth/engine/scenario/simulate"
)

func TestQoSVariantsAreAddedAndEdited(t *testing.T) {
	t.Parallel()
	p, s := few(t)
	p.click(testID("qos-add-variant"))
	s.QoS.Policies = append(s.QoS.Policies, simulate.PolicyRun{Name: "qos", Label: "qos optimised", Savings: &simulate.Savings{
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
	s.QoS.Policies = append(s.QoS.Policies, simulate.PolicyRun{Name: "priority", Label: "cached", Savings: &simulate.Savings{
		ScoreCaching: true, EquivalenceClass: true, Pruning: "safe",
	}})
	p.wantSimulated(s)
	p.accessible("the variants")
	p.screenshot("qos-variants")
	p.pressNamed("^Remove qos optimised")
	s.QoS.Policies = append(s.QoS.Policies[:2], s.QoS.Policies[3])
	p.wantSimulated(s)
}
