// Command check runs the steps of make test and reports how long they took:
//
//	check native go test -short ./...     # runs a step
//	check                                 # prints the table of the steps so far
//
// Of tests it prints the summary lines of go test, and the output of tests that fail.
// The table has the seconds of each step, and the slowest packages and journeys. The
// environment variable BERTH_STEPS names the file that stores the steps until the
// table is printed.
package main
