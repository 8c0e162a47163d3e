package kube

import (
	"berth/engine/kube/score"
)

// Weights are the weights of the scoring plug-ins; 0 disables a plug-in.
type Weights struct {
	Fit, Balanced, Image, Taint, NodeAffinity, Spread, PodAffinity int64
}

// ScoredResource is a resource in the score of NodeResourcesFit, with its weight.
type ScoredResource struct {
	Name   string
	Weight int64
}

// Profile has the scoring parameters of a scheduler.
type Profile struct {
	Weights   Weights
	Fit       score.Fit
	Resources []ScoredResource // resources that Fit scores
}

// Default returns the default profile of kube-scheduler.
func Default() Profile {
	return Profile{
		Weights:   Weights{Fit: 1, Balanced: 1, Image: 1, Taint: 3, NodeAffinity: 2, Spread: 2, PodAffinity: 2},
		Resources: []ScoredResource{{CPU, 1}, {Memory, 1}},
		Fit:       score.Fit{Shape: []score.Point{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}}},
	}
}
