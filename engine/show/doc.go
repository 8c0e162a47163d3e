// Package show writes names, numbers and counts for people.
//
// Text that comes from elsewhere, such as the names, labels and keys of files, is made
// fit for a message or a terminal: what could steer a terminal, turn the direction of a
// line around or break it is written as an escape, as Go would write it.
package show
