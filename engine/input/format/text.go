package format

import "berth/engine/diag"

// The errors in input files.
var (
	graphSize      = &diag.Code{Name: diag.IsTooLarge, Words: "the graph has %d bytes; at most %d (%d MiB) are read"}
	joinedClusters = &diag.Code{Name: "joined-clusters", Words: "another file has nodes of the cluster %s, too, so Berth joins them: use NAME=FILE to keep them apart"}
)
