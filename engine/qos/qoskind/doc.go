// Package qoskind defines the scenario kind "qos": one workload on one infrastructure under several
// policies, and the questions about its results.
//
// [Prepare] reads hosts, overheads and events, and inspects the workload. [Prepared.Run] simulates
// one policy with one seed. Each run reads the workload from the start instead of holding it in
// memory. Only workloads that are small or out of order stay in memory.
//
// The same document yields the same report, byte for byte, on every platform. The exception is a
// stopped run, whose report is marked as partial.
package qoskind
