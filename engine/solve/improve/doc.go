// Package improve searches for the cheapest placement of a problem of package solve, and for a
// proof that it is the cheapest. One local search moves jobs in one [state]; other stages raise the
// bound. The stages take turns:
//
//   - [repairing] looks for a first placement by fixing one violated constraint after the other.
//   - [walking] anneals through placements that violate constraints, at penalties that rise
//     while constraints are violated and fall while they are satisfied.
//   - [pricing] raises the bound.
//   - [proving] searches the tree of package exact, completely if the problem is small.
//
// Moves have their own files: moves.go has moves of one job, moves of two jobs together and
// exchanges; share.go redistributes jobs between two clusters.
//
// The sequence of steps depends only on the problem, the first placement and the seed, and never on
// the total number of steps: a longer search continues where a shorter one ended.
package improve
