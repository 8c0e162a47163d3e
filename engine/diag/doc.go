// Package diag holds what is said about an input: one problem of a file with
// its place, which is also the error that readers of .dot, CSV, JSON and traces
// return, and lists of them.
package diag
