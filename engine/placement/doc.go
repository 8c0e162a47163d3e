// Package placement puts the jobs of a deployment on the clusters of a federation
// (Lavacca 2020, chapter 4): all of them or none, within every constraint, at little
// cost.
//
// A [Capacity] is what a federation has left, a [Problem] joins a deployment to it, a
// [Strategy] turns the problem into a [Solution]. [Explain] says why a job went where
// it went, and [Matrix] gives the whole cost or affinity matrix at one step; both are
// recomputed on request, so that a search stores nothing for them.
//
// With n jobs, N clusters and m dependencies a search without backtracking takes at
// most O((n + m)·N) time and O(n + N) memory in addition to the graphs. On a star the
// heuristic comes near O((n + m)·√N), by strips of clusters that are alike.
package placement
