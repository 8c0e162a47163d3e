// Package runs runs many rows: the rows of a scenario, the runs of an experiment, or the parts of a
// run on a page, here or on other machines. An [Executor] takes the results that its keeper has,
// gives every other row to its workers once, and keeps each result when it arrives. No other
// package implements this.
package runs
