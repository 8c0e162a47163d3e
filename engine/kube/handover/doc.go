// Package handover converts a cluster of a placement, or one given by manifests, into
// a QoS scenario: nodes become hosts and jobs become controllers, with service
// classes in place of priority classes. Nodes that a what-if drains or fails go down
// after a quarter of the simulated time.
package handover
