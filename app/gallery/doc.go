// Package gallery is the view of the figures of the papers, each with the verdict of
// our own run, and of experiments that somebody has made: one scenario run many
// times, with what may be concluded.
//
// A sweep is such an experiment at work: its runs are shared among the workers of
// the page, and what they come to is kept in the browser, so that a sweep that was
// stopped goes on where it was.
package gallery
