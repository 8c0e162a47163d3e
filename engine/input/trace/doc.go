// Package trace reads workloads and infrastructure: Berth's own tables, logs of Slurm, PBS and
// others, the Standard Workload Format, the public traces of Google, Alibaba, Azure and others,
// workflows, and the formats of the authors of the QoS-driven scheduler. [OpenRequests],
// [OpenTasks], [ReadHosts], [ReadMachines] and [HostEvents] accept files of any format.
//
// Each format is a fileFormat: its name, its use, and the functions that recognise and read it. The
// job formats of other systems yield rows. Common code converts rows to jobs of Federate and to
// requests of QoS.
package trace
