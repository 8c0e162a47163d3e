// Package central is the common part of schedulers with one omniscient master: a [Master] that
// receives jobs and learns at once when a task ends, a [Pool] of workers, and a [Queue] that serves
// jobs one after the other by a [Discipline].
//
// These schedulers are baselines, so only the order of the tasks may make a difference: the master
// takes no time, and no worker is idle while a message is under way. Both messages of a task, to
// the master and on to its worker, are charged before the task queues. The schedule is therefore
// that of a queue without message delays, shifted by these two delays.
//
// The master decides after all events of a moment, so it knows all ends and arrivals of that moment
// regardless of their order. A failed worker keeps its tasks and gets no others until it recovers.
// The master does not fail.
package central
