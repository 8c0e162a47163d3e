// Package placement assigns the jobs of a deployment to the clusters of a federation (Lavacca 2020,
// chapter 4): all jobs or none, within every constraint, at low cost.
//
// A [Capacity] is the remaining capacity of a federation, a [Problem] joins a deployment to it, and
// a [Strategy] turns the problem into a [Solution]. A problem is compiled once into the form of
// package solve, where graphs and rules become costs, amounts, barriers, limits of links and
// counters; see [Problem.Assignment]. [Explain] says why a job got its cluster. [CostMatrix] and
// [AffinityMatrix] return whole matrices at one step. They are recomputed on request, so a search
// stores nothing for them.
//
// All strategies that place job by job share one depth-first engine. An [Attempt] is the partial
// placement, a ranking picks the next cluster for the current job, and the search places and
// removes jobs. The heuristic ranks by PA. [Keep] ranks by moves and continues after a placement to
// find a better one.
//
// With n jobs, N clusters and m dependencies, a search without backtracking takes at most O((n +
// m)·N) time and O(n + N) memory in addition to the graphs. On a star the heuristic comes near O((n
// + m)·√N) because it groups similar clusters into strips.
package placement
