// Package placementkind is the kind of scenarios that place deployments on federations: the
// document, its run, and the questions about the result. The same document gives the same report,
// byte for byte, on every platform, except that a stopped run is marked as partial.
package placementkind
