// Command check runs the steps of make test and says what took how long:
//
//	check native go test -short ./...     # runs a step
//	check                                 # prints the table of the steps so far
//
// Of tests it prints what go test prints, and the output of those that fail. The table
// has the seconds of each step, and its slowest packages and journeys. The environment
// variable BERTH_STEPS names the file in which steps are kept until the table is printed.
package main
