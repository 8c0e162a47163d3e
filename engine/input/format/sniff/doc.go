// Package sniff recognises the format of a text by its beginning. Each format that Berth reads, and
// many that it only recognises, is a [Format] with a name, a syntax, and a function that scores how
// well a text fits. The best score wins. A text is compared only with formats of its own syntax, so
// that JSON never gets an error about CSV.
//
// The lists of accepted formats and the messages about rejected files come from the same formats,
// on the page and on the command line.
package sniff
