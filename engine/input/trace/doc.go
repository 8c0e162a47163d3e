// Package trace reads workloads and infrastructure: Berth's own tables, logs of Slurm, PBS and
// others, the Standard Workload Format, the public traces of Google, Alibaba, Azure and others,
// workflows, and the formats of the authors of the QoS-driven scheduler. [OpenRequests],
// [OpenTasks], [ReadHosts], [ReadMachines] and [HostEvents] accept files of any format.
//
// A format is one value, a [Format]: its name, its use, how it is recognised, and what reads it.
// Formats of other systems with jobs yield rows, and one place converts rows to jobs of Federate
// and to requests of QoS.
package trace
