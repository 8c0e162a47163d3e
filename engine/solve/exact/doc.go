// Package exact solves problems of package solve exactly: it decides whether a placement exists,
// and finds the cheapest one.
//
// [Feasible] searches for any placement. It assigns the job with the fewest remaining clusters
// relative to its number of conflicts (Boussemart et al. 2004), and removes the clusters that an
// assignment rules out from the other jobs. When a job has no cluster left, it jumps back to the
// last assignment involved (Prosser 1993) and learns the conflicting assignments.
//
// A [Tree] is a branch and bound. The bound of a node lets a job use several clusters at once,
// which leaves a knapsack for each cluster (Posta, Ferland, Michelon 2012). Unless there are too
// many pairs, it is combined with a network of the dependencies (see [network] and [pairs]).
// Clusters that no cheaper placement can use are removed from jobs. The node with the lowest bound
// comes first, so that a tree that stops early still yields a bound. Among identical empty clusters
// only the first is tried, and a cluster that is ruled out for a job is also ruled out for all
// identical jobs.
//
// Work is counted in steps, so the same problem ends the same way on every machine.
package exact
