// Package sniff tells what a text is by its beginning. Every format that Berth reads,
// and many that it only recognises, is one entry of a table: a name, the syntax it is
// written in, and how well a text fits. The best fit wins. A text is held against the
// formats of its own syntax alone: JSON never gets an error about CSV.
//
// The lists of formats that a reader accepts, and the sentence about a file that it
// does not, come from the same table; the page and the command line share it.
package sniff
