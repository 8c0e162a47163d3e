// Package workload holds the workloads of QoS and Federate and the infrastructure
// that they run on: requests, jobs of tasks, hosts, machines and host events. It
// generates them from a [Recipe]; package trace reads them from files.
//
// Requests measure time in milliseconds, tasks in nanoseconds. The two types are not
// assignable to each other.
package workload
