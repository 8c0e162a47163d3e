package drawn_test

import (
	"bytes"
	"slices"
	"testing"

	"berth/engine/drawn"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	_ "berth/engine/kinds"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// A file can hold every scenario, and the same seed gives it again.
func TestScenariosAreValid(t *testing.T) {
	for _, draw := range []func(uint64) scenario.Scenario{drawn.Placement, drawn.QoS, drawn.Federate} {
		for seed := range uint64(300) {
			s := draw(seed)
			file := scenario.Encode(s)
			if _, err := scenario.Decode(file); err != nil {
				t.Errorf("%s %s: %v", s.Kind, s.Name, err)
			}
			if !bytes.Equal(scenario.Encode(draw(seed)), file) {
				t.Errorf("%s %s: the seed gives two scenarios", s.Kind, s.Name)
			}
		}
	}
}

// A hundred seeds are enough to draw each strategy, policy and scheduler, and what changes their
// decisions.
func TestEveryNameIsDrawn(t *testing.T) {
	found := map[string]bool{}
	for seed := range uint64(100) {
		for _, s := range placementkind.Of(drawn.Placement(seed)).Strategies {
			found[s.StrategyName()] = true
		}
		for _, p := range qoskind.Of(drawn.QoS(seed)).Policies {
			found[p.PolicyName()] = true
		}
		d := federatekind.Of(drawn.Federate(seed))
		for _, name := range d.Schedulers {
			found[name] = true
		}
		found["shares"] = found["shares"] || d.Shares != nil
		found["outages"] = found["outages"] || d.Outages != nil
		found["interference"] = found["interference"] || d.Interference > 0
	}
	for _, name := range slices.Concat(placement.Names(), qos.Names(), federate.Names(), []string{"mine", "shares", "outages", "interference"}) {
		if !found[name] {
			t.Errorf("no scenario has %s", name)
		}
	}
}
