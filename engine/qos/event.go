package qos

import (
	events "berth/engine/event"
	"berth/engine/sim"
)

// The kinds of events of a run. Things are requests in order of arrival, places are hosts, times
// are in milliseconds.
const (
	Submitted uint8 = iota
	Allocated       // Value is the overhead: the host is prepared for so long before the request runs
	Preempted       // by the request whose allocation follows
	HostLost        // the host has failed or left
	Completed
)

// Events are the kinds of events. The arguments of their words are the request, its host and the
// request behind the event.
var Events = []events.Kind{
	Submitted: {Name: "submitted", Words: "%[1]s arrives"},
	Allocated: {Name: "allocated", Words: "%[1]s goes to %[2]s", Does: events.Begins},
	Preempted: {Name: "preempted", Words: "%[1]s leaves %[2]s to %[3]s", Does: events.Ends},
	HostLost:  {Name: "host-lost", Words: "%[1]s loses %[2]s", Does: events.Ends},
	Completed: {Name: "completed", Words: "%[1]s completes on %[2]s", Does: events.Ends},
}

// tell logs an event of k, at its host.
func (s *system) tell(what uint8, k *instance, by int32, value sim.Milliseconds) {
	if s.config.Log != nil {
		s.config.Log.Add(events.Event{At: int64(s.now), What: what, Thing: int32(k.index), On: k.host, By: by, Value: int64(value)})
	}
}
