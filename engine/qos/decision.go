package qos

import (
	"berth/engine/sim"
	"berth/engine/workload"
)

// Arrival is a request that came, of the workload or as an instance of a
// controller.
type Arrival struct {
	Index      uint32 // in order of arrival, from 0
	Class      int
	Request    *workload.Request // valid during the call
	Controller string            // its name; empty of a request of the workload
}

// Decision is a request that got a host.
type Decision struct {
	At       sim.Milliseconds
	Request  uint32 // in order of arrival, from 0
	Host     int
	Feasible int // hosts that could have taken it; -1 if the scheduler did not look at all
	Overhead sim.Milliseconds
	Victims  []uint32  // requests that lost the host to it, in order; valid during the call
	Cost     []float64 // the tuple of the host, empty without victims; valid during the call
}

// Outcome is what became of a request.
type Outcome struct {
	Index        uint32 // in order of arrival, from 0
	Class        int
	Submit       sim.Milliseconds
	Run, Pending sim.Milliseconds
	Availability float64
	Penalty      float64 // in CPU-hours (Eq. 11); 0 where the SLO was kept
	Preemptions  int
	Completed    bool
}
