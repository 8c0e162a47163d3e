package placementkind

import (
	"bytes"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
)

func listed() *scenario.Report {
	return &scenario.Report{Kind: Name, Body: &Report{Strategies: []StrategyReport{
		{Deployments: []DeploymentReport{
			{Name: "placed", Placement: Assignment{{Job: "a", Cluster: "eu"}, {Job: "\n\"", Cluster: ""}}, Order: []string{"\n\"", "a"}},
			{Name: "not placed", Order: []string{"a"}},
		}},
		{Deployments: []DeploymentReport{{Name: "empty", Placement: Assignment{}, Order: []string{}}}},
	}}}
}

func TestListsComeBackToTheirReport(t *testing.T) {
	for _, r := range []*scenario.Report{listed(), {Version: 1, Kind: Name, Body: &Report{}}} {
		want := scenario.EncodeReport(r)
		head, body, lists, err := r.Detach()
		must.Do(t, err)
		if !bytes.Equal(scenario.EncodeReport(r), want) {
			t.Fatalf("Detach changed the report to %s", scenario.EncodeReport(r))
		}
		must.Do(t, head.Restore(body, lists))
		if got := scenario.EncodeReport(head); !bytes.Equal(got, want) {
			t.Errorf("the report came back as %s", got)
		}
	}
}

// A list that is damaged at any byte is an error and never a panic.
func TestDamagedListsAreRefused(t *testing.T) {
	head, body, lists, err := listed().Detach()
	must.Do(t, err)
	for n := range lists {
		if head.Restore(body, lists[:n]) == nil {
			t.Errorf("the first %d of %d bytes were accepted", n, len(lists))
		}
		longer := append(bytes.Clone(lists), lists[:n+1]...)
		if head.Restore(body, longer) == nil {
			t.Errorf("%d bytes too many were accepted", n+1)
		}
		high := bytes.Clone(lists)
		high[n] = 0xff
		_ = head.Restore(body, high) // may be another text
	}
}
