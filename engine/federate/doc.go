// Package federate simulates how many schedulers share one data centre: Megha
// (Thiyyakat, Kalambur and Sitaram, "Megha: Decentralized Global Fair Scheduling for
// Federated Clusters"), and what it is compared with: Sparrow, Pigeon, Hawk, Eagle, Omega, Mesos,
// Kubernetes, Mercury, Hydra, Quincy, Firmament,
// central queues and the ideal of a task that starts as it arrives.
//
// They are plug-ins on one [Model] of workers, network and clocks: [Register] adds one,
// [Run] runs one on a workload. Times are in nanoseconds. A run is deterministic for a
// configuration, a workload and a seed.
//
// # Allocation time
//
// The allocation time of a task is what it spends from its arrival to its start, split
// into the [Component]s of section III. The parts are kept as whole nanoseconds, so
// they add up exactly. A task that was preempted, or whose worker failed, has spent the
// sum of its waits: the time it ran in vain is in none of the parts.
//
// A worker that fails keeps its tasks, and gets them again when it is back. The schedulers
// have a package each, which says what their papers leave open.
package federate
