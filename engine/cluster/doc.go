// Package cluster models the hosts of a data centre: integer capacities, attributes, placement
// constraints, and an index that finds the best host for a demand without visiting all hosts.
package cluster
