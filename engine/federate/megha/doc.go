// Package megha is Megha (Thiyyakat, Kalambur and Sitaram, "Megha: Decentralized Global Fair
// Scheduling for Federated Clusters"): Global Masters (GMs) hold copies of the state, Local Masters
// (LMs) hold the truth. With one GM and one LM it is the scheduler megha-1.
//
// # Choices that the paper leaves open
//
// A GM processes messages in the order of their arrival. This includes messages that arrive at the
// moment at which it becomes free. It takes a task from its queues only when it has no message. A
// GM subtracts its own requests from its copy until the LM has answered; otherwise it could assign
// the same resources twice. Every message from an LM to a GM carries the changes since the last
// one. The GM pays for each worker that has changed. A heartbeat carries the whole state, so the GM
// pays for all workers of the LM. With [federate.Config.FullState] every message carries the whole
// state, as answers do in the paper. A heartbeat without news for any GM is counted as a message
// but not simulated.
//
// A user may preempt another user only if its use, including the new task and divided by its share,
// stays below the other user's use before the preemption. Without this rule, two users whose tasks
// are larger than the difference between their shares preempt each other forever.
//
// A failed worker keeps its tasks and restarts them when it recovers. Until then its LM gives its
// resources to no other task. A GM fails only between two actions. Its messages wait, except
// heartbeats, which are lost.
package megha
