package replay_test

import (
	"slices"
	"testing"

	"berth/engine/kube/packing"
	"berth/engine/kube/replay"
)

// Claims and volumes that no file has are reported once.
func TestMissingClaims(t *testing.T) {
	uses := func(claims ...string) *packing.Shape {
		s := &packing.Shape{}
		for _, c := range claims {
			s.Uses = append(s.Uses, packing.Use{Name: c})
		}
		return s
	}
	c := replay.Cluster{
		Pods:    []*replay.Pod{{Shape: uses("ns/known", "ns/far")}, {Shape: uses("ns/far")}, {Shape: uses("ns/bound")}, {Shape: uses()}},
		Objects: packing.Objects{Claims: map[string]packing.Claim{"ns/known": {}, "ns/bound": {Volume: "pv-1"}}},
	}
	want := []string{
		"the claim ns/far is not in the input: every node is taken to reach its volume",
		"the volume pv-1 of the claim ns/bound is not in the input: every node is taken to reach it",
	}
	if got := c.Missing(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
