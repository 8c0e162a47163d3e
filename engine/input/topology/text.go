package topology

import "berth/engine/diag"

// The errors of a file.
var (
	notText          = &diag.Code{Name: diag.IsNotText, Words: "the file is not text in UTF-8"}
	listOpen         = &diag.Code{Name: diag.IsTruncated, Words: "the file ends within a list: a ] is missing"}
	noKey            = &diag.Code{Name: diag.IsSyntax, Words: "expected a key, found %s"}
	noValue          = &diag.Code{Name: diag.IsSyntax, Words: "the key %s has no value"}
	notXML           = &diag.Code{Name: "not-xml", Words: "this is not XML: %s"}
	noNodes          = &diag.Code{Name: diag.IsEmpty, Words: "the network has no nodes"}
	unlocatedNodes   = &diag.Code{Name: "nodes-without-coordinates", Words: "nodes without coordinates, whose links have no latency: %s%s"}
	estimatedLatency = &diag.Code{Name: "estimated-latency", Words: "the %s of %s %s estimated: the great circle at %d km a millisecond"}
	endMissing       = &diag.Code{Name: diag.IsMissing, Words: "an edge needs both ends"}
	notMermaid       = &diag.Code{Name: diag.IsSyntax, Words: "line %d is not understood: expected nodes and arrows, such as api[API] --> db"}
	matrixLatency    = &diag.Code{Name: "latencies-of-matrix", Words: "the numbers of the matrix count as latencies in ms"}
	matrixDiffers    = &diag.Code{Name: diag.IsParallel, Words: "%d latencies differ by direction: the higher one counts"}
	parallelLines    = &diag.Code{Name: diag.IsParallel, Words: "%s to another one: the best of each figure counts"}
	nodeTwice        = &diag.Code{Name: diag.IsTwice, Words: "the node %s stands twice"}
	unknownEnd       = &diag.Code{Name: diag.IsUnknown, Words: "the edge joins %s and %s, and not both are nodes"}
)
