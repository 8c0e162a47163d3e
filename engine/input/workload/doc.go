// Package workload holds the workloads of QoS and Federate and the infrastructure
// that they run on: requests, jobs of tasks, hosts, machines and host events. It
// generates them from a [Recipe] and reads them from Berth's own tables; package
// trace adds readers for foreign formats. [OpenRequests], [OpenTasks], [ReadHosts]
// and [ReadMachines] accept files of any registered format.
//
// Requests measure time in milliseconds, tasks in nanoseconds. The two types are not
// assignable to each other.
package workload
