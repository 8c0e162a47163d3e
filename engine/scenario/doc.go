// Package scenario is the one document that describes what is run, and the
// way from it to a report.
//
// A [Scenario] is the only thing that is saved, shared and run. [Decode] reads
// one strictly, [Encode] writes its canonical bytes, [Scenario.Hash] names
// them, and [EncodeLink] packs them into the fragment of a link.
//
// What a scenario asks is for its [Kind] to know: a kind brings the [Document] that
// stands in the scenario, how it is prepared and run ([Work]), the questions that a
// reader may ask of inputs or of a result ([Question]), its figures, and the path and
// the title of its page. This package knows none of them: they are registered (see
// package kinds), and the command line, the workers, the links, the library and
// the pages find them by name.
//
// A document has [Rows]: a run for each of its subjects and seeds. [Prepared.Run] carries
// them out one after the other; [Parts] are their scenarios, which others carry out beside
// each other, and [Join] makes one report of theirs.
//
// A [Report] is the only thing that is drawn and exported. [Prepare] reads or
// generates the inputs of a scenario, [Prepared.Run] carries it out. The same
// scenario gives the same report, byte for byte, on every platform, unless it was
// stopped: then it is marked as partial. What the clock says is kept apart in
// [Timings].
//
// Whatever is wrong with a document or its inputs is an [InputError] with a
// diagnostic for each problem.
package scenario
