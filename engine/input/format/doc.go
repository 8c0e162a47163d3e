// Package format reads deployments and federations and writes placements in all
// supported formats. Package sniff recognises the format of a text by its beginning;
// here each format has a [Reader] with the same name. Every program reads DOT; a
// program that imports package readers reads all formats. Package workload has the
// readers of workloads and hosts.
//
// A federation may consist of several files: [ReadFederation] joins them by cluster
// ids, and later files override earlier ones.
package format
