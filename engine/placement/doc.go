// Package placement puts the jobs of a deployment on the clusters of a federation
// (Lavacca 2020, chapter 4): all of them or none, within every constraint, at little
// cost.
//
// A [Capacity] is what a federation has left, a [Problem] joins a deployment to it, a
// [Strategy] turns the problem into a [Solution]. A problem is compiled once, into the form of
// package solve, which searches and explanations read, too; see [Problem.Assignment]. Graphs and
// rules become costs, amounts, barriers, limits of links and counters there. [Explain] says why a
// job went where it went, and [CostMatrix] and [AffinityMatrix] give whole matrices at one
// step; they are recomputed on request, so that a search stores nothing for them.
//
// All strategies that place job by job share one depth-first engine. An [Attempt] is what
// stands; a ranking says which cluster the next job tries; and the search puts jobs there
// and takes them back. The heuristic ranks by PA, [Keep] by what moves, and it goes on
// after a placement to find a better one.
//
// With n jobs, N clusters and m dependencies a search without backtracking takes at
// most O((n + m)·N) time and O(n + N) memory in addition to the graphs. On a star the
// heuristic comes near O((n + m)·√N), by strips of clusters that are alike.
package placement
