package qos

import (
	"berth/engine/cluster"
	"berth/engine/policy"
	"berth/engine/sim"
)

// Language makes policies of texts; see package policy.
var Language policy.Language[Plugin]

// Index returns the number of a request in order of arrival, from 0.
func (s *State) Index(r Ref) int { return int(s.instances[r].index) }

// Job returns the number of the job that a request belongs to.
func (s *State) Job(r Ref) int64 { return s.instances[r].job }

// GPUs returns what a request asks for of devices: a share of one, or whole ones.
func (s *State) GPUs(r Ref) cluster.Amount { return s.instances[r].gpus }

// Preemptions returns how often a request has lost its host to another.
func (s *State) Preemptions(r Ref) int { return int(s.instances[r].preemptions) }

// Admitted returns when a request was admitted.
func (s *State) Admitted(r Ref) sim.Milliseconds { return s.instances[r].admitted }

// Availability returns which part of its age a request has run, 1 of one that has just come.
func (s *State) Availability(r Ref) float64 {
	run := s.Run(r)
	return availability(run, s.Age(r)-run)
}

// ClassName returns the name of the class of a request.
func (s *State) ClassName(r Ref) string { return s.constants[s.instances[r].class].name }

// SLO returns the availability that the class of a request is promised.
func (s *State) SLO(r Ref) float64 { return s.constants[s.instances[r].class].slo }

// Limit returns the limit of the preemption overhead of the class of a request.
func (s *State) Limit(r Ref) float64 {
	return float64(s.constants[s.instances[r].class].limit) / limitUnit
}

// Room returns what a host has, and what is allocated on it.
func (s *State) Room(h int) (cpu, memory, usedCPU, usedMemory cluster.Amount) {
	host := &s.hosts[h]
	return host.cpu, host.memory, host.usedCPU, host.usedMemory
}

// FreeGPUs returns how much of the devices of a host is free as whole devices.
func (s *State) FreeGPUs(h int) cluster.Amount {
	_, whole := s.hosts[h].gpus.Room()
	return whole
}
