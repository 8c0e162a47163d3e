// Package scenario defines the document that describes a run, and turns it into a report.
//
// A [Scenario] is the only object that is saved, shared and run. [Decode] reads it strictly,
// [Encode] writes its canonical bytes, [Scenario.Hash] identifies it, and [EncodeLink] packs it
// into the fragment of a link.
//
// The [Kind] of a scenario defines its [Document], how the document is prepared and run ([Work]),
// the questions about its inputs and results ([Question]), its figures, and the path and title of
// its page. This package knows no kind: package kinds registers them, and the command line, the
// workers, the links, the library and the pages find them by name.
//
// A document has [Rows]: one run for each of its subjects and seeds. [Prepared.Run] runs them in
// order. A page runs the scenarios of [Parts] concurrently, and [Join] combines their reports into
// the same report.
//
// A [Report] is the only object that is drawn and exported. [Prepare] reads or generates the inputs
// of a scenario, [Prepared.Run] computes the report. The same scenario gives the same report, byte
// for byte, on every platform. The exception is a stopped run, whose report is marked as partial.
// Durations are separate, in [Timings].
//
// Every error of a document or its inputs is an [InputError] with a diagnostic for each problem.
package scenario
