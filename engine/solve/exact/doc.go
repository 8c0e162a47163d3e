// Package exact decides problems of package solve for certain: whether there is
// a placement, and which costs least.
//
// [Feasible] looks for any placement. It assigns the job with the fewest clusters
// left in relation to how often it was in a conflict (Boussemart et al. 2004),
// takes away what the assignments made so far refuse, and when a job has no
// cluster left jumps back to the last assignment that had a part in it (Prosser
// 1993). What could not stand together then is learnt and refused from there on.
// [Tree] then goes through the tree by cost: each node is bounded by
// relaxing that a job stands on one cluster only, which leaves a knapsack for each
// cluster (Posta, Ferland, Michelon 2012), together with a network of the dependencies
// where there are not too many pairs (see [network] and [pairs]), and clusters that cannot be part of a
// cheaper placement are taken away from jobs. The node with the lowest bound comes first, so
// that a tree that stops early has a bound as well. Of clusters that nothing tells apart the first
// empty one stands for all, and where one of several jobs that nothing tells apart
// cannot go, none can.
//
// Work is counted in steps, so that the same problem ends the same on every
// machine.
package exact
