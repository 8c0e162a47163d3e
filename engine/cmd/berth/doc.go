// Berth places deployments on federations of clusters, and simulates schedulers of
// requests and of data centres, from the command line.
//
//	berth place --federation F.dot --deployment D.dot
//	berth simulate --workload W --hosts H
//	berth federate --trace T --workers N
//	berth run SCENARIO.json
//	berth sweep EXPERIMENT.json
//
// berth --help lists all commands, and each explains itself with --help. It exits with
// status 0 when all deployments were placed and all requests could run, 3 when not, 2 for
// bad input or bad flags and 1 for anything else. Results go to standard output, and only
// when there are some; errors go to standard error. Output files are written atomically,
// and an output is never an input.
package main
