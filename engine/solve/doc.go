// Package solve solves the generalised quadratic assignment problem with forbidden pairs: it
// assigns every job to a cluster, within the capacities of each resource, at the lowest sum of node
// costs a_jc and of link costs q_jk,cd, one for each dependency between two jobs. Without
// dependencies it is the generalised assignment problem of the OR-Library. Package placement
// compiles its problems, which come from graphs in files, into this form.
//
// A [Problem] is plain data. [Problem.Costs] and [Problem.Check] are the simple, slow reference for
// the cost and the validity of a placement; tests compare all solvers with them.
//
// [Bound] returns a bound quickly, and a [Bounder] raises it step by step. Both are valid by
// construction, including rounding errors. The prices of a Bounder are the savings from one more
// unit of a resource. [Bounder.Tighten] packs whole groups of jobs, for problems with significant
// link costs. Package exact has a branch and bound whose bounds consider which pairs of clusters
// each dependency allows; package improve finds placements and improves them.
//
// Jobs and clusters are numbered from 0. Nothing here reads a clock: work is counted in steps, so
// the same problem and seed give the same result on every machine.
package solve
