// Package service asks what service a placement gives, or a cluster as its
// manifests have it: nodes become the hosts of a QoS scenario and jobs its
// controllers, with the service classes that stand for priority classes. What a
// what-if drains or fails goes down after a quarter of the time.
package service
