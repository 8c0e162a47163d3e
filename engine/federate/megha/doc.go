// Package megha is Megha (Thiyyakat, Kalambur and Sitaram, "Megha: Decentralized Global
// Fair Scheduling for Federated Clusters"): Global Masters with copies of the state, and
// Local Masters with the truth. With one of each it is the scheduler megha-1.
//
// # What the paper leaves open
//
// A GM processes messages in the order of their arrival, including those that arrive at
// the very moment at which it becomes free, and takes a task from its queues when there
// is no message. It keeps what its own requests have asked for out of its copy until
// the LM has answered, so that it never contradicts itself. Every message from an LM to
// a GM carries what changed since the last one; a GM pays for the workers that have
// changed, and for all of an LM's workers at a heartbeat, which has the whole state.
// With [federate.Config.FullState] each message has it, as the paper says of answers.
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
package megha
