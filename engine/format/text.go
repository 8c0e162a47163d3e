package format

import "berth/engine/diag"

// What can be wrong with an input.
var (
	graphSize      = diag.Define(diag.IsTooLarge, "the graph has %d bytes; at most %d (%d MiB) are read")
	joinedClusters = diag.Define("joined-clusters", "another file has nodes of the cluster %s, too, so Berth joins them: use NAME=FILE to keep them apart")
)
