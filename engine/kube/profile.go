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

// Default returns kube-scheduler's default profile: the weights and parameters of its score
// plug-ins.
func Default() Profile {
	return Profile{
		Weights:   Weights{Fit: 1, Balanced: 1, Image: 1, Taint: 3, NodeAffinity: 2, Spread: 2, PodAffinity: 2},
		Resources: []ScoredResource{{CPU, 1}, {Memory, 1}},
		Fit:       score.Fit{Shape: []score.Point{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}}},
	}
}

// The requests that kube-scheduler assumes in scores for containers without one: 100m
// CPU and 200 MiB memory.
const (
	AssumedCPU    = 100
	AssumedMemory = 200 << 20
)

// Assumed returns CPU in millicores and memory in bytes for scores. there is what the pod counts on
// its node when other pods are scheduled; own is what NodeResourcesFit counts for the pod being
// scheduled.
func (s *Shape) Assumed() (there, own [2]int64) {
	if s.Prefers != nil {
		return s.Prefers.Assumed, s.Prefers.Scored
	}
	cpu, memory := s.Requests[CPU], s.Requests[Memory]
	if _, given := s.Requests[CPU]; !given {
		cpu = AssumedCPU
	}
	if _, given := s.Requests[Memory]; !given {
		memory = AssumedMemory
	}
	there = [2]int64{cpu, memory}
	return there, there
}
