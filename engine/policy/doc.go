// Package policy handles policies written as text: a [Text] is such a policy in a
// document, and a [Language] converts texts to plug-ins of a lab. Texts are written
// in Starlark (package script), which package written registers. Without that package
// a program can read, check and pass on documents with texts, but not run them.
package policy
