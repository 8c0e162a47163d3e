// Package policy is about policies that are written as text: a [Text] is what a document
// has of one, and a [Language] makes plug-ins of a laboratory of texts. The language
// itself is Starlark (package script); package written registers it. A program without
// that package can read, check and pass on documents with texts, but not run them.
package policy
