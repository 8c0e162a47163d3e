// Package trace reads workloads in foreign formats: logs of Slurm and Batsim, the
// Standard Workload Format, the public traces of Google, Alibaba, Azure and others,
// workflows, and the formats of the authors of the QoS-driven scheduler. It converts
// them to the requests, jobs and hosts of package workload.
//
// Importing this package registers all formats with package workload, under their
// names in package sniff. A table with a row for each job is an entry of tables; any
// other format is an entry of documents. Both yield rows, and one place converts rows
// to jobs of Federate and to requests of QoS.
package trace
