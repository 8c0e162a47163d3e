package topology

import "berth/engine/diag"

// What can be wrong with an input.
var (
	notText          = diag.Define(diag.IsNotText, "the file is not text in UTF-8")
	listOpen         = diag.Define(diag.IsTruncated, "the file ends within a list: a ] is missing")
	noKey            = diag.Define(diag.IsSyntax, "expected a key, found %s")
	noValue          = diag.Define(diag.IsSyntax, "the key %s has no value")
	notXML           = diag.Define("not-xml", "this is not XML: %s")
	noNodes          = diag.Define(diag.IsEmpty, "the network has no nodes")
	unlocatedNodes   = diag.Define("nodes-without-coordinates", "nodes without coordinates, whose links have no latency: %s%s")
	estimatedLatency = diag.Define("estimated-latency", "the %s of %s %s estimated: the great circle at %d km a millisecond")
	parallelLines    = diag.Define(diag.IsParallel, "%s to another one: the best of each figure counts")
	nodeTwice        = diag.Define(diag.IsTwice, "the node %s stands twice")
	unknownEnd       = diag.Define(diag.IsUnknown, "the edge joins %s and %s, and not both are nodes")
)
