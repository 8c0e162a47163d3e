// Package format reads deployments and federations, and writes placements, in any of
// their formats. Package sniff tells the format of a text by its beginning; here each has
// a [Reader] by that name. Every program reads DOT; one that imports package readers reads
// all there are. Workloads and hosts have readers of the same kind in package workload.
//
// A federation may come from several files: [Join] puts them together by the ids
// of the clusters, what a later file says over what an earlier one said.
package format
