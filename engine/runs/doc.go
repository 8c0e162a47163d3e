// Package runs is the one implementation of running many things. An [Executor] takes the results
// that its keeper has, gives every other row to its workers once, and keeps each result when it
// arrives. It runs the rows of a scenario, the runs of an experiment, the parts of a run on a page,
// and runs on other machines.
package runs
