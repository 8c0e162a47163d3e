package federate

// Action is what happens to a task.
type Action uint8

// What happens to tasks. Requests go from a GM to an LM.
const (
	Requested          Action = iota // a launch in a partition of the GM's own
	Repartitioned                    // a launch in a partition of another GM
	PreemptAsked                     // a launch in place of running tasks
	Verified                         // the LM has booked the launch
	Refused                          // the LM has not
	Reinserted                       // there is no match
	Preempted                        // the LM has taken the task off its worker
	Started                          // on its worker
	Stopped                          // on its worker, before its end
	Ended                            // on its worker
	Released                         // the LM has taken it off its books
	Adopted                          // a GM has adopted a heartbeat; Worker is the first one of its LM
	Filled                           // no task fits on the worker any more, by the copy of a GM, or without a Master by the LM's books
	Opened                           // one may fit again
	ReservationMade                  // at a worker
	ReservationRefused               // by a worker
	ReservationStolen                // by a worker
	Claimed                          // in a copy of the state, by a scheduler
	Conflicted                       // the claim is void
	Declined                         // an offer, by a framework that has no use for it
	Unschedulable                    // no worker has room; Worker is −1
	Queued                           // at a worker
	SentBack                         // by a worker whose queue is too long
	Routed                           // to the sub-cluster of an LM; Worker is −1
)

func (a Action) String() string {
	return [...]string{
		"requested", "repartitioned", "preempt-asked", "verified", "refused", "reinserted",
		"preempted", "started", "stopped", "ended", "released", "adopted", "filled", "opened", "reservation-made",
		"reservation-refused", "reservation-stolen", "claimed", "conflicted", "declined", "unschedulable", "queued", "sent-back", "routed",
	}[a]
}

// Record is one thing that happened. Worker and Master are −1 where there is
// none; Master is a GM, or the LM for Verified, Refused, Preempted, Released and Routed; under
// Kubernetes and Mercury Preempted has none. For Claimed, Conflicted and Declined it is the scheduler or framework;
// under Quincy and Firmament Claimed has none.
type Record struct {
	At     Time
	Action Action
	Task   int32
	Worker int32
	Master int32
}

// Tell records what happens to a task.
func (m *Model) Tell(a Action, task, worker, master int32) {
	if m.trace != nil {
		m.trace(Record{At: m.now, Action: a, Task: task, Worker: worker, Master: master})
	}
}
