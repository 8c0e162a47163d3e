package qos

import (
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Arrival is the arrival of a request, from the workload or from a controller.
type Arrival struct {
	Index      uint32 // in order of arrival, from 0
	Class      int
	Request    *workload.Request // only valid during the call
	ID         string            // its id or, if it has none, its number among the requests of the workload, from 1
	Controller string            // name of the controller; "" for a request of the workload
}

// Decision is the allocation of a host to a request.
type Decision struct {
	At       sim.Milliseconds
	Request  uint32 // in order of arrival, from 0
	Host     int
	Feasible int // number of hosts that could have taken the request; -1 if not all hosts were checked
	Overhead sim.Milliseconds
	Victims  []uint32  // preempted requests, in order; valid during the call
	Cost     []float64 // preemption cost of the host as a tuple, empty without victims; valid during the call
}

// Outcome has the final figures of a request.
type Outcome struct {
	Index        uint32 // in order of arrival, from 0
	Class        int
	Submit       sim.Milliseconds
	Run, Pending sim.Milliseconds
	Availability float64
	Penalty      float64 // in CPU-hours (Eq. 11); 0 if the SLO was met
	Preemptions  int
	Completed    bool
}
