// Package dot reads and writes the graphs of the placement problem as Graphviz .dot files, in two
// dialects that one reader accepts:
//
//   - the thesis's dialect (Lavacca 2020, listing 6.1), in which the label attributes of
//     an element carry its figures and the last one its name:
//     0[label="cpuOffloading - request:156.84 - limit:115.46", label="n0"]
//   - plain attributes, which every Graphviz tool preserves:
//     api [request=200, limit=400]
//
// The registry in package graph defines the labels, fields and attributes. Other attributes of
// Graphviz are skipped. An unknown attribute that looks like a misspelt figure is an error; any
// other unknown attribute is ignored with a warning.
//
// The reader makes one pass over a file; its memory is bounded by the graph and not by the text.
// The scanner produces tokens with positions. It rejects invalid text and, unless
// [Options.Undirected] is set, directed graphs. The parser is a recursive descent and rejects
// excessive nesting. The builder applies the semantics of DOT (defaults, subgraphs, strict, chains)
// and converts attributes to labels. Tests compare the parser with gonum's: both accept the same
// texts and build the same graphs.
//
// Reading continues after problems: a wrong statement is reported and skipped, and the diagnostics
// of the whole file are returned in file order. Their number is limited, and so is the text that
// they quote from the file.
package dot
