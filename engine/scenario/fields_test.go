package scenario_test

import (
	"slices"
	"testing"

	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

// A field that a kind declares is checked, and its changes are reported.
func TestFieldsOfAKindAreCheckedAndCompared(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	dice := func(d scenariotest.Throws) scenario.Scenario { return scenario.New("dice", "", &d) }
	for want, d := range map[string]scenariotest.Throws{
		"dice.throws: found 101, expected a number from 1 to 100":        {Throws: 101},
		`dice.dieColour: "red" is unknown: expected one of white, black`: {Throws: 1, Colour: "red"},
		"": {Throws: 1, Loaded: true, Colour: "black"},
	} {
		got := ""
		if err := dice(d).Validate(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%+v: %q, want %q", d, got, want)
		}
	}
	got := scenario.Changes(dice(scenariotest.Throws{Throws: 2}), dice(scenariotest.Throws{Throws: 3, Loaded: true, Colour: "black"}))
	if want := []string{"die colour default → black", "loaded no → yes", "throws of the die 2 → 3"}; !slices.Equal(got, want) {
		t.Errorf("the changes are %q, want %q", got, want)
	}
}
