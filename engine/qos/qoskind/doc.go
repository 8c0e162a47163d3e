// Package qoskind is the kind of scenarios "qos": one workload on one infrastructure under
// several policies, and the questions about the result.
// [Prepare] reads hosts, overheads and events and looks through the workload; [Prepared.Run]
// simulates each policy with each seed. A workload is never held in memory: each run reads it
// from the start.
// The same document gives the same report, byte for byte, on every platform, except a stopped
// run, which is marked as partial.
package qoskind
