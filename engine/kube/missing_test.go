package kube_test

import (
	"slices"
	"testing"

	"berth/engine/kube"
)

// Claims and volumes that no file has are reported once.
func TestMissingClaims(t *testing.T) {
	uses := func(claims ...string) *kube.Shape {
		s := &kube.Shape{}
		for _, c := range claims {
			s.Uses = append(s.Uses, kube.Use{Name: c})
		}
		return s
	}
	c := kube.Cluster{
		Pods:    []*kube.Pod{{Shape: uses("ns/known", "ns/far")}, {Shape: uses("ns/far")}, {Shape: uses("ns/bound")}, {Shape: uses()}},
		Objects: kube.Objects{Claims: map[string]kube.Claim{"ns/known": {}, "ns/bound": {Volume: "pv-1"}}},
	}
	want := []string{
		"the claim ns/far is not in the input: every node is taken to reach its volume",
		"the volume pv-1 of the claim ns/bound is not in the input: every node is taken to reach it",
	}
	if got := c.Missing(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
