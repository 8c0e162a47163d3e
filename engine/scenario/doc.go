// Package scenario is the one document that describes an experiment, and the
// way from it to a report.
//
// A [Scenario] is the only thing that is saved, shared and run. [Decode] reads
// one strictly, [Encode] writes its canonical bytes, [Scenario.Hash] names
// them, and [EncodeLink] packs them into the fragment of a link.
//
// A [Report] is the only thing that is drawn and exported. [Prepare] reads or
// generates the graphs of a scenario, [Experiment.Run] places them; the other
// methods of [Experiment] answer what a reader asks of the result. The same
// scenario gives the same report, byte for byte, on every platform; what the
// clock says is kept apart in [Timings].
//
// Whatever is wrong with a document or its graphs is an [InputError] with a
// diagnostic for each problem.
package scenario
