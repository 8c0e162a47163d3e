package qos

import (
	"berth/engine/cluster"
	"berth/engine/policy"
	"berth/engine/sim"
)

// Language compiles policies from source text; see package policy.
var Language policy.Language[Plugin]

// Index returns the position of a request in order of arrival, from 0.
func (s *State) Index(r Ref) int { return int(s.instances[r].index) }

// Job returns the number of the request's job.
func (s *State) Job(r Ref) int64 { return s.instances[r].job }

// GPUs returns the GPU demand of a request: a share of one device, or whole devices.
func (s *State) GPUs(r Ref) cluster.Amount { return s.instances[r].gpus }

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

// Room returns the capacity of a host and its allocated resources.
func (s *State) Room(h int) (cpu, memory, usedCPU, usedMemory cluster.Amount) {
	host := &s.hosts[h]
	return host.cpu, host.memory, host.usedCPU, host.usedMemory
}

// FreeGPUs returns the total of a host's devices that are wholly free.
func (s *State) FreeGPUs(h int) cluster.Amount {
	_, whole := s.hosts[h].gpus.Room()
	return whole
}
