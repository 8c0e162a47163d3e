// Package dot reads and writes the graphs of the placement problem as Graphviz
// .dot files, in two dialects that one reader understands:
//
//   - the thesis's (Lavacca 2020, listing 6.1), where the first label
//     attributes of an element carry its figures and the last one its name:
//     0[label="cpuOffloading - request:156.84 - limit:115.46", label="n0"]
//   - plain attributes, which every Graphviz tool keeps:
//     api [request=200, limit=400]
//
// Which labels, fields and attributes there are is the business of the registry
// in package graph. Every other attribute is either one of Graphviz's own and
// skipped, or looks like a misspelt figure and is an error, or else is ignored
// with a warning.
//
// A file is read in one pass, with memory bounded by the graph and not by the
// text. The scanner makes tokens with their places and refuses what is no text;
// the parser, a recursive descent, reads the grammar and refuses what is directed
// or nested too deeply; the builder applies what DOT means (defaults, subgraphs,
// strict, chains) and turns attributes into labels. The tests hold the parser to
// gonum's: both accept the same texts and see the same graphs in them.
//
// Nothing stops at the first problem: a statement that is wrong is reported and
// left out, and the diagnostics of the whole file come together, in its order.
// Their number is bounded, and so is what they repeat of the file.
package dot
