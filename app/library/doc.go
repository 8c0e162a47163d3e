// Package library is the view of what this browser keeps: scenarios saved by
// name, and the history of the last runs. [Shelf] is the store behind it, which
// the other views save to.
package library
