// Package show makes text that comes from elsewhere, such as the names, labels
// and keys of files, fit for a message or a terminal. What could steer a
// terminal, turn the direction of a line around or break it is written as an
// escape, as Go would write it.
package show
