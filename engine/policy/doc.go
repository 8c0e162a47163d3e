// Package policy handles policies written as text: a [Text] is such a policy in a document, and a
// [Language] converts texts to plug-ins of a lab. Texts are written in Starlark; package written
// registers that language (package script). A program without package written can read, check and
// pass on documents with texts, but cannot run them.
package policy
