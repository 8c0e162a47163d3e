// Package graphs generates the graphs of the placement problem from a seed and the parameters of
// the thesis's configuration files (Lavacca 2020, listings 6.2 and 6.3): deployments, and
// federations as stars.
//
// A [workload.Recipe] has a generator, a preset, a seed and the parameters that differ from the
// preset. The same recipe gives the same graph on every machine. All figures are rounded to two
// decimals, as in the thesis.
package graphs
