// Package exact decides problems of package solve with certainty: whether a placement exists,
// and which one is cheapest.
//
// [Feasible] looks for any placement. It assigns the job with the fewest remaining clusters
// relative to its number of conflicts (Boussemart et al. 2004), and removes the clusters that an
// assignment refuses from the other jobs. When a job has no cluster left, it jumps back to the
// last assignment involved (Prosser 1993), and learns the conflicting assignments.
//
// A [Tree] is a branch and bound. Each node is bounded by letting a job use several clusters at
// once, which leaves a knapsack for each cluster (Posta, Ferland, Michelon 2012), combined with
// a network of the dependencies if there are not too many pairs (see [network] and [pairs]).
// Clusters that no cheaper placement can use are removed from jobs. The node with the lowest
// bound comes first, so that a tree that stops early also has a bound. Among identical empty
// clusters only the first is tried, and a cluster that refuses a job also refuses all identical
// jobs.
//
// Work is counted in steps, so that the same problem ends the same on every machine.
package exact
