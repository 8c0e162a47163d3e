// Package workload has the workloads of QoS and Federate and what they run on: requests and jobs of
// tasks, hosts and machines, and what happens to hosts. It generates them from a [Recipe] and reads
// them from Berth's own tables; package trace adds the formats of others. The file of each may
// be of any format that the program has: see [OpenRequests], [OpenTasks], [ReadHosts] and
// [ReadMachines].
//
// Times of requests are in milliseconds, those of tasks in nanoseconds, and neither type is
// assignable to the other.
package workload
