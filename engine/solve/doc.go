// Package solve solves the generalised quadratic assignment problem with
// forbidden pairs: every job goes to one cluster, within what the clusters have
// of each resource, at the least sum of node costs a_jc and of link costs
// q_jk,cd for each dependency between two jobs. Without dependencies it is the
// generalised assignment problem of the OR-Library. It knows nothing of graphs
// in files; package placement turns its problems into this one.
//
// A [Problem] is plain data. [Problem.Costs] and [Problem.Check] are the slow
// and plain reference of what a placement costs and whether it is one; all else
// is held against them by the tests:
//
//   - [Bound] is a bound at once, a [Bounder] raises it step by step; both are
//     valid by construction, rounding included, and its prices are what one
//     more unit of a resource would save.
//     [Bounder.Tighten] packs whole groups of jobs where links count.
//     Package exact has one that sees which clusters dependencies leave to each other.
//   - Package improve looks for placements, and improves them.
//
// Jobs and clusters are numbered from 0. Nothing here looks at a clock: work is
// counted in steps, so that the same problem and seed give the same result on
// every machine.
package solve
