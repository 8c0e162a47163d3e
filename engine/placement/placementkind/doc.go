// Package placementkind is the kind of scenarios that place deployments on
// federations: the document, how it is run, and what a reader asks of the
// result.
//
// The report of the same document is the same, byte for byte, on every
// platform, unless a run was stopped: then it is marked as partial.
package placementkind
