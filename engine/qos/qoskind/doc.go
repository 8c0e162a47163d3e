// Package qoskind is the kind of scenarios "qos": one workload on one
// infrastructure under several policies, and what a reader asks of the result.
//
// [Prepare] reads hosts, overheads and events and looks the workload through;
// [Prepared.Run] simulates each policy with each seed. A workload is never
// held in memory: each run reads it from the start.
//
// The report of the same document is the same, byte for byte, on every
// platform, unless a run was stopped: then it is marked as partial.
package qoskind
