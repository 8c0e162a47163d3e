// Package show formats names, numbers and counts for people.
//
// Text from outside, such as the names, labels and keys in files, is made safe for a message or a
// terminal: characters that could control a terminal, change the direction of a line or break it
// are escaped as in Go.
package show
