// Package probing is the common part of schedulers that leave reservations in the queues of workers
// and bind late: a worker that reaches a reservation asks for a task, and the first workers to ask
// get one (Ousterhout et al. 2013). A batch is the set of a job's tasks with the same constraints,
// which share reservations. The same queues can also hold tasks.
//
// A failed worker keeps its queue. The schedulers share no state, and their decisions take no time.
package probing
