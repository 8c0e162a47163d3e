package qos

import (
	"berth/engine/policy"
	"berth/engine/sim"
)

// Language compiles policies from source text; see package policy.
var Language policy.Language[Plugin]

// Index returns the position of a request in order of arrival, from 0.
func (s *State) Index(r Ref) int { return int(s.instances[r].index) }

// Job returns the number of the request's job.
func (s *State) Job(r Ref) int64 { return s.instances[r].job }

// Preemptions returns how often a request has been preempted.
func (s *State) Preemptions(r Ref) int { return int(s.instances[r].preemptions) }

// Admitted returns the time at which a request was admitted.
func (s *State) Admitted(r Ref) sim.Milliseconds { return s.instances[r].admitted }

// Availability returns the fraction of its age that a request has run; 1 at
// admission.
func (s *State) Availability(r Ref) float64 {
	run := s.Run(r)
	return availability(run, s.Age(r)-run)
}

// ClassName returns the name of the request's class.
func (s *State) ClassName(r Ref) string { return s.constants[s.instances[r].class].name }

// SLO returns the SLO of the request's class.
func (s *State) SLO(r Ref) float64 { return s.constants[s.instances[r].class].slo }

// Limit returns the limit of the preemption overhead of the request's class.
func (s *State) Limit(r Ref) float64 {
	return float64(s.constants[s.instances[r].class].limit) / limitUnit
}
