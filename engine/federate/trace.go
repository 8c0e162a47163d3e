package federate

// Action is an event in the life of a task.
type Action uint8

// The actions. Requests go from a GM to an LM.
const (
	Requested          Action = iota // a GM asks for a launch in its own partition
	Repartitioned                    // a GM asks for a launch in a partition of another GM
	PreemptAsked                     // a GM asks for a launch in place of running tasks
	Verified                         // the LM has booked the launch
	Refused                          // the LM has refused the launch
	Reinserted                       // the GM found no match and queued the task again
	Preempted                        // the LM has taken the task off its worker
	Started                          // the task starts on its worker
	Stopped                          // the task leaves its worker before it ends
	Ended                            // the task ends on its worker
	Released                         // the LM has removed the task from its state
	Adopted                          // a GM has adopted a heartbeat; Worker is the first worker of the LM
	Filled                           // no further task fits on the worker, according to the copy of a GM or, without a Master, the state of the LM
	Opened                           // another task may fit again
	ReservationMade                  // at a worker
	ReservationRefused               // by a worker
	ReservationStolen                // by a worker
	Claimed                          // a scheduler has claimed the worker in its copy of the state
	Conflicted                       // the claim is void
	Declined                         // a framework has declined an offer that it cannot use
	Unschedulable                    // no worker has room; Worker is −1
	Queued                           // in the queue of a worker
	SentBack                         // by a worker whose queue is too long
	Routed                           // to the sub-cluster of an LM; Worker is −1
	Arrived                          // the scheduler receives a job; Task is its first task
	WorkerFailed
	WorkerWorks
	GMFailed
	GMWorks
	LMFailed
	LMWorks
)

func (a Action) String() string { return Actions[a].Name }

// Record is one action. Worker and Master are −1 if the action has none. Master is the LM for
// Verified, Refused, Preempted, Released and Routed; the scheduler or framework for Claimed,
// Conflicted and Declined; and a GM for all others. Under Kubernetes and Mercury Preempted has no
// master, and under Quincy and Firmament Claimed has none.
type Record struct {
	At     Time
	Action Action
	Task   int32
	Worker int32
	Master int32
}

// Tell records an action if the run is traced.
func (m *Model) Tell(a Action, task, worker, master int32) {
	if m.trace != nil {
		m.trace(Record{At: m.now, Action: a, Task: task, Worker: worker, Master: master})
	}
}

func (m *Model) tellOutage(o Outage, over bool) {
	action, worker, master := [...]Action{GMFailed, LMFailed, WorkerFailed}[o.Subject], int32(-1), int32(o.Index)
	if o.Subject == WorkerOutage {
		worker, master = master, -1
	}
	if over {
		action++ // works again
	}
	m.Tell(action, -1, worker, master)
}
