// Package fragment packs pods that share GPUs onto the nodes of a cluster until it is
// full, and measures how much of the GPUs each policy has allocated by then. The model,
// the measure of fragmentation and five of the policies are those of Weng et al., "Beware
// of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent"
// (USENIX ATC 2023); what the paper leaves open is as in the authors' public simulator.
//
// Pods come one after the other and never leave. A policy gives each node that has room
// a score, a whole number from 0 to 100; of those with the highest score it takes the first
// in an order of nodes that is drawn once a run.
package fragment
