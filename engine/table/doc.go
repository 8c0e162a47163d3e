// Package table writes figures of several subjects as text: a row for each figure, a
// column for each subject. Tables are at most [Width] columns wide, so that they fit
// every terminal: what does not fit beside the others follows below.
package table
