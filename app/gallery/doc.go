// Package gallery is the view of the figures of the papers, each with the verdict of
// Berth's own runs, and of the visitor's experiments: one scenario run many times,
// with statistics of the results.
//
// A sweep is a running experiment. The workers of the page share its runs, and the
// browser keeps their results, so that a stopped sweep continues where it stopped.
package gallery
