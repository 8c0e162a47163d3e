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
// A file goes through three stages, a few thousand tokens at a time, so that
// memory is bounded by the graph and not by the text:
//
//  1. The scanner makes tokens with their places in the file. It refuses what
//     is no text, directed or nested too deeply.
//  2. gonum's parser checks the grammar. It sees every name as its number among
//     the tokens: gonum keeps no places, and this way each name of its syntax
//     tree leads back to the file. Attribute lists that are right are left out,
//     which halves the time.
//  3. The walk over the syntax tree applies what DOT means (defaults, subgraphs,
//     strict, chains) and turns attributes into labels.
//
// Nothing stops at the first problem: a statement that is wrong is reported and
// left out, and the diagnostics of the whole file come together, in its order.
package dot
