// Package federate is the view that runs schedulers side by side on one data centre. The trace, the
// masters and the costs are on the left. In the middle are distributions, components and shares
// over time, and a drawing of the masters and their partitions that plays the run. The schedulers'
// figures are on the right; the explanation of each task's waiting time is below.
//
// The user edits [inputs], which package lab holds. Every scheduler, and every point and seed of a
// sweep, is a separate run in a worker of the pool. The page shows finished runs while others
// continue ([View.arrive]). All computing happens in workers, whose answers arrive on the page's
// goroutine through Later.
package federate
