// Package federatekind is the kind of scenarios "federate": one workload on
// one data centre under several schedulers, and what a reader asks of the
// result.
//
// A document stands for one simulation of each scheduler with each seed: see
// [scenario.Row]. One with a sweep stands for an experiment.
//
// The report of the same document is the same, byte for byte, on every
// platform, unless a run was stopped: then it is marked as partial.
package federatekind
