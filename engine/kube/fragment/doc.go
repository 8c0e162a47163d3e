// Package fragment packs pods that share GPUs onto the nodes of a cluster until it is full, and
// measures how much of the GPUs each policy has allocated by then. The model, the fragmentation
// measure and five of the policies follow Weng et al., "Beware of Fragmentation: Scheduling
// GPU-Sharing Workloads with Fragmentation Gradient Descent" (USENIX ATC 2023). For details that
// the paper omits, the package follows the authors' public simulator.
//
// Pods arrive one after the other and never leave. A policy scores each node with room for the pod
// from 0 to 100, in whole numbers. The pod goes to a node with the highest score. Among equal
// scores it goes to the first node in an order that is drawn once per run.
package fragment
