// Package cluster models the hosts of a data centre: capacities as whole numbers, attributes,
// placement constraints, and an index that finds the best host for a demand without visiting all
// hosts.
package cluster
