// Package federatekind is the kind of scenarios "federate": one workload on one data centre
// under several schedulers, and the questions about the result.
// A document is one simulation of each scheduler with each seed: see [scenario.Row]. A document
// with a sweep is an experiment.
// The same document gives the same report, byte for byte, on every platform, except a stopped
// run, which is marked as partial.
package federatekind
