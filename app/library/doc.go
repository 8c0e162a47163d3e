// Package library is the view of the scenarios that this browser keeps: saved ones by name, and the
// history of the last runs. [Shelf] is the store behind it, to which the other views save.
package library
