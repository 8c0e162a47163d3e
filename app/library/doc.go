// Package library is the view of the scenarios that this browser keeps: saved ones by name, and the
// history of the last runs. The other views save to its store, [Shelf].
package library
