// Package federatekind is the kind of scenarios "federate". It simulates one workload on one data
// centre under several schedulers and answers questions about the result. A document describes one
// run of each scheduler with each seed; see [scenario.Row]. A document with a sweep is an
// experiment. The same document gives the same report, byte for byte, on every platform. The
// exception is a stopped run, whose report is marked as partial.
package federatekind
