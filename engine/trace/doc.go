// Package trace reads the workloads that other systems and other people's papers leave behind: logs
// of Slurm and Batsim, the Standard Workload Format, the public traces of Google, Alibaba, Azure
// and others, workflows, and the formats of the authors of the QoS-driven scheduler. They become
// the requests, jobs and hosts of package workload.
//
// A program reads them once it imports this package, which adds every format to
// package workload under its name in package sniff. A table with a row for each job is one entry
// of tables; what is no such table is one of documents. Both hand over a row after the other,
// which becomes a job of Federate or the requests of QoS in one place.
package trace
