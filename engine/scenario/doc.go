// Package scenario is the one document that describes an experiment, and the
// way from it to a report.
//
// A [Scenario] is the only thing that is saved, shared and run. [Decode] reads
// one strictly, [Encode] writes its canonical bytes, [Scenario.Hash] names
// them, and [EncodeLink] packs them into the fragment of a link.
//
// Each kind of scenario has a body: graphs and strategies to place them are here,
// simulations of requests and of data centres in packages of their own. What
// they share is in package body. [Parts] are what can run beside each other.
//
// A [Report] is the only thing that is drawn and exported. [Prepare] reads or
// generates the inputs of a scenario, [Experiment.Run] carries it out; the other
// methods of [Experiment] answer what a reader asks of the result. The same
// scenario gives the same report, byte for byte, on every platform, unless it was
// stopped: then it is marked as partial. What the clock says is kept apart in
// [Timings].
//
// Whatever is wrong with a document or its inputs is an [InputError] with a
// diagnostic for each problem.
package scenario
