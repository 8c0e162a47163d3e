// Package diag holds what is said about an input. A [Diagnostic] is one problem of a file
// with its place: a [Code], which each package declares with its words, and the arguments
// of these. It is also the error that readers of .dot, CSV, JSON and traces return; a
// [List] has several.
package diag
