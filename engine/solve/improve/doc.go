// Package improve looks for the cheapest placement of a problem of package solve,
// and for a proof that it is the cheapest, in stages that take turns:
//
//   - [repair] comes first: it mends one broken constraint after the other until there is a
//     placement, whatever it costs.
//   - [walk] anneals through placements that break constraints, each at a penalty
//     that rises while it is broken and falls while it is kept. Where it ends with something
//     broken, that is repaired. Both move one job, a job with one that it depends on, or
//     two jobs to each other's clusters, and share the [state] that they move in.
//   - [solve.Search] shares jobs between two clusters at shadow prices: it is the
//     better one where rooms matter more than pairs.
//   - A few related jobs are freed, and package exact places them at the least cost
//     that the others leave.
//   - Package exact goes through the whole tree of a problem that is small or nearly
//     proved, with more steps each time.
//
// A stage that finds better placements gets more of the steps. Restarts begin at one
// of the best placements so far, or at a mixture of two.
//
// What comes next depends on the problem, the first placement and the seed alone, and
// never on how many steps there will be: more steps go on where fewer ended.
package improve
