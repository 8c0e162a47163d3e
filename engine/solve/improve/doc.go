// Package improve looks for the cheapest placement of a problem of package solve, and for a
// proof that it is the cheapest. One local search moves jobs in one [state]; other stages raise
// the bound. They take turns:
//
//   - [repairing] looks for a first placement: it mends one broken constraint after the other.
//   - [walking] anneals through placements that break constraints, each at a penalty that rises
//     while it is broken and falls while it is kept.
//   - [pricing] raises the bound.
//   - [proving] goes through the tree of package exact: the whole of it if the problem is small.
//
// Moves are in files of their own: one job, two jobs together and exchanges in moves.go, and
// sharing out jobs between two clusters in share.go.
//
// What comes next depends on the problem, the first placement and the seed alone, and
// never on how many steps there will be: more steps go on where fewer ended.
package improve
