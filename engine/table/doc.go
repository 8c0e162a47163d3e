// Package table formats figures of several subjects as text, with a row for each figure and a
// column for each subject. Tables are at most [Width] characters wide, so that they fit any
// terminal; subjects that do not fit continue in a block below.
package table
