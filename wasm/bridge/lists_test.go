package bridge

import (
	"bytes"
	"testing"

	"berth/engine/scenario"
)

func listed() *scenario.Report {
	return &scenario.Report{Placement: &scenario.PlacementReport{Strategies: []scenario.StrategyReport{
		{Deployments: []scenario.DeploymentReport{
			{Name: "placed", Placement: scenario.Assignment{{Job: "a", Cluster: "eu"}, {Job: "\n\"", Cluster: ""}}, Order: []string{"\n\"", "a"}},
			{Name: "not placed", Order: []string{"a"}},
		}},
		{Deployments: []scenario.DeploymentReport{{Name: "empty", Placement: scenario.Assignment{}, Order: []string{}}}},
	}}}
}

func TestListsComeBackToTheirReport(t *testing.T) {
	for _, r := range []*scenario.Report{listed(), {Version: 1}} {
		want := scenario.EncodeReport(r)
		slim, lists := Detach(r)
		if !bytes.Equal(scenario.EncodeReport(r), want) {
			t.Fatalf("Detach changed the report to %s", scenario.EncodeReport(r))
		}
		if err := restore(slim, lists); err != nil {
			t.Fatal(err)
		}
		if got := scenario.EncodeReport(slim); !bytes.Equal(got, want) {
			t.Errorf("the report came back as %s", got)
		}
	}
}

// A damaged list is an error, at whatever byte, and never a panic.
func TestDamagedListsAreRefused(t *testing.T) {
	_, lists := Detach(listed())
	for n := range lists {
		slim, _ := Detach(listed())
		if restore(slim, lists[:n]) == nil {
			t.Errorf("the first %d of %d bytes were accepted", n, len(lists))
		}
		longer := append(bytes.Clone(lists), lists[:n+1]...)
		if restore(slim, longer) == nil {
			t.Errorf("%d bytes too many were accepted", n+1)
		}
		high := bytes.Clone(lists)
		high[n] = 0xff
		_ = restore(slim, high) // may be another text
	}
}
