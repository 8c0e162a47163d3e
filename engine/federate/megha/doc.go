// Package megha is Megha (Thiyyakat, Kalambur and Sitaram, "Megha: Decentralized Global Fair
// Scheduling for Federated Clusters"): Global Masters (GMs) hold copies of the state, Local Masters
// (LMs) hold the truth. With one GM and one LM it is the scheduler megha-1.
//
// # Choices that the paper leaves open
//
// A GM processes messages in the order of their arrival, including messages that arrive at the very
// moment at which it becomes free, and takes a task from its queues when it has no message. It
// subtracts its own requests from its copy until the LM has answered, so that it never contradicts
// itself. Every message from an LM to a GM carries the changes since the last one. A GM pays for
// each worker that has changed, and at a heartbeat, which carries the whole state, for all of an
// LM's workers. With [federate.Config.FullState] every message carries the whole state, as the
// paper says of answers. Heartbeats without news for any GM count as messages and are not simulated
// otherwise.
//
// A user may preempt another one only if, even with its new task, it uses less in proportion to its
// share than the other user did before. Without this rule, two users whose tasks are larger than
// the difference between their shares preempt each other for ever.
//
// A failed worker keeps its tasks and restarts them when it is back; until then its LM gives its
// resources to no other task. A GM fails between two actions. Its messages wait, except heartbeats,
// which are lost.
package megha
