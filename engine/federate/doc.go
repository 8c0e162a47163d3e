// Package federate simulates how many schedulers share one data centre: Megha
// (Thiyyakat, Kalambur and Sitaram, "Megha: Decentralized Global Fair Scheduling for
// Federated Clusters"), and what it is compared with: Sparrow, Pigeon, one centralised
// master, and the ideal of a task that starts as it arrives.
//
// They are plug-ins on one [Model] of workers, network and clocks: [Register] adds one,
// [Run] runs one on a workload. Times are in nanoseconds. A run is deterministic for a
// configuration, a workload and a seed.
//
// # Allocation time
//
// The allocation time of a task is what it spends from its arrival to its start, split
// into the [Component]s of section III. The parts are kept as whole nanoseconds, so
// they add up exactly. A task that was preempted, or whose worker failed, has spent the
// sum of its waits: the time it ran in vain is in none of the parts.
//
// # What the paper leaves open
//
// A GM processes messages in the order of their arrival, including those that arrive at
// the very moment at which it becomes free, and takes a task from its queues when there
// is no message. It keeps what its own requests have asked for out of its copy until
// the LM has answered, so that it never contradicts itself. Every message from an LM to
// a GM carries what changed since the last one; a GM pays for the workers that have
// changed, and for all of an LM's workers at a heartbeat, which has the whole state.
// Heartbeats that have no news for any GM are counted as messages, and otherwise left
// out.
//
// A user preempts only where it has less with its task than the other had, each in
// relation to its share. Without that, two users whose tasks are larger than the
// difference between their shares preempt each other for ever.
//
// A worker that fails keeps its tasks, and gets them again when it is back; until then
// its LM gives its resources to no other task. A GM fails between two actions; its
// messages wait, except heartbeats, which are lost.
//
// A job of Sparrow that has more tasks than there are workers leaves several
// reservations with each. A long task of Pigeon that only reserved workers can run is
// treated like a short one.
package federate
