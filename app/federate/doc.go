// Package federate is the view that runs schedulers side by side on one data
// centre: the trace, the masters and the costs at the left; distributions,
// components and shares over time in the middle, with a drawing of the masters
// and their partitions that can be played; the schedulers' figures at the
// right; and below why a task waited as long as it did.
//
// What is edited is [inputs]; package lab holds it. Every scheduler,
// and every point and seed of a sweep, is a run of its own in a worker of the
// pool; what has arrived is gathered and shown while the others go on ([View.arrive]). All
// computing happens in workers; what they answer comes back through Later, on
// the page's goroutine.
package federate
