// Package format is the registry of the formats that inputs may have, by what
// they are for: a deployment or a federation. A format is one entry with a name,
// a look that recognises a text of it, and a reader; the command line and the
// pages find it by the text. The formats of this package are those that every
// program has; a program that imports package readers has all there are.
//
// A federation may come from several files: [Join] puts them together by the ids
// of the clusters, what a later file says over what an earlier one said.
package format
