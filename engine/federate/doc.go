// Package federate simulates schedulers that share one data centre: Megha (Thiyyakat, Kalambur and
// Sitaram, "Megha: Decentralized Global Fair Scheduling for Federated Clusters") and its rivals
// Sparrow, Pigeon, Hawk, Eagle, Omega, Mesos, Kubernetes, Mercury, Hydra, Quincy and Firmament,
// several central queues, and an ideal scheduler that starts every task when it arrives.
//
// Every scheduler is a plug-in for one [Model] of workers, network and clocks: [Register] adds a
// plug-in and [Run] runs it on a workload. Times are in nanoseconds. The same configuration,
// workload and seed always give the same run.
//
// # Allocation time
//
// The allocation time of a task is the time from its arrival to its start, split into the
// [Component]s of section III of the paper. The components are whole nanoseconds, so their sum is
// exact. The allocation time of a task that was preempted, or whose worker failed, is the sum of
// its waits; the time of its lost runs belongs to no component.
//
// A worker that fails keeps its tasks and restarts them when it recovers. Each scheduler has its
// own package. The comment of the package says what the scheduler's paper leaves open and what
// Berth chose.
package federate
