// Package runs has the one way to run many things: an [Executor] takes the results
// that were kept, gives every other row to its workers once, and keeps each result as it
// arrives. The rows of a scenario, the runs of an experiment, the parts of
// a page's run and the runs on other machines all go through it.
package runs
