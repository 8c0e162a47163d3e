package qos

import (
	events "berth/engine/event"
	"berth/engine/sim"
)

// The kinds of events of a run. In an [events.Event], Thing is the index of a request in order of
// arrival, On is the index of a host, and times are in milliseconds.
const (
	Submitted uint8 = iota
	Allocated       // Value is the allocation overhead: the time before the request runs
	Preempted       // By is the request that the next Allocated event places
	HostLost        // the host failed or left
	Completed
)

// Events describes the kinds of events. The arguments of Words are the names of the request, of its
// host, and of the request that caused the event.
var Events = []events.Kind{
	Submitted: {Name: "submitted", Words: "%[1]s arrives"},
	Allocated: {Name: "allocated", Words: "%[1]s goes to %[2]s", Does: events.Begins},
	Preempted: {Name: "preempted", Words: "%[1]s leaves %[2]s to %[3]s", Does: events.Ends},
	HostLost:  {Name: "host-lost", Words: "%[1]s loses %[2]s", Does: events.Ends},
	Completed: {Name: "completed", Words: "%[1]s completes on %[2]s", Does: events.Ends},
}

// tell logs an event of instance k at its current host. by is the request that caused the event.
func (s *system) tell(what uint8, k *instance, by int32, value sim.Milliseconds) {
	if s.config.Log != nil {
		s.config.Log.Add(events.Event{At: int64(s.now), What: what, Thing: int32(k.index), On: k.host, By: by, Value: int64(value)})
	}
}
