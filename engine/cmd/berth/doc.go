// Berth places deployments on federations of clusters, and simulates schedulers of
// requests and of data centres, from the command line.
//
//	berth place --federation F.dot --deployment D.dot
//	berth simulate --workload W --hosts H
//	berth federate --trace T --workers N
//	berth run SCENARIO.json
//	berth sweep EXPERIMENT.json
//
// berth --help lists all commands, and each command documents itself with --help. The exit status is
// 0 if all deployments were placed and all requests could run, 3 if not, 2 for bad input or flags,
// and 1 for any other error. Results go to standard output, which stays empty without a result;
// errors go to standard error. Output files are written atomically, and a command never overwrites
// its inputs.
package main
