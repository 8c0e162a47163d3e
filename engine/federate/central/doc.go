// Package central has what schedulers with one master share that always knows the truth:
// a [Master] to which jobs come and that learns at once what ends, a [Pool] of workers,
// and a [Queue] that serves jobs one after the other by a [Rule].
//
// Such schedulers are what others are compared with, so that nothing but the order of
// the tasks makes a difference: the master needs no time, and no worker is idle while a
// message is under way. Both messages of a task, to the master and on to its worker, are
// counted before it queues. The schedule is that of a queue whose messages take no time,
// later by these two.
//
// Everything that happens at one moment, ends before arrivals or after, is known when
// the master decides. A worker that has failed keeps its tasks, and gets no other until
// it works again; the master does not fail.
package central
