// Package federate is the view that runs schedulers side by side on one data centre: the trace,
// the masters and the costs at the left; distributions, components and shares over time in the
// middle, with a drawing of the masters and their partitions that can be played; the
// schedulers' figures at the right; and below the explanation of each task's waiting time.
// The user edits [inputs]; package lab holds them. Every scheduler, and every point and seed of
// a sweep, is a run of its own in a worker of the pool. The page shows finished runs while the
// others go on ([View.arrive]). All computing happens in workers, whose answers arrive on the
// page's goroutine through Later.
package federate
