// Package probing has what schedulers share that leave reservations in the queues of
// workers and bind late: the worker that comes to a reservation asks for a task, and the
// first ones to ask get one (Ousterhout et al. 2013). A batch is the tasks of a job that
// ask for the same constraints: they share reservations. Tasks themselves may wait in the
// same queues.
//
// A worker that fails keeps its queue. Its schedulers share nothing and cost nothing.
package probing
