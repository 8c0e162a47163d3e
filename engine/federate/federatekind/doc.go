// Package federatekind is the kind of scenarios "federate": one workload on
// one data centre under several schedulers, and what a reader asks of the
// result.
//
// A document stands for one simulation of each scheduler with each seed, and at
// each point of its sweep if it has one. [Document.Parts] gives each of them as
// a document of its own, to be run anywhere; [Join] makes their reports into
// the one of the whole, the same that [Prepared.Run] gives.
//
// The report of the same document is the same, byte for byte, on every
// platform, unless a run was stopped: then it is marked as partial.
package federatekind
