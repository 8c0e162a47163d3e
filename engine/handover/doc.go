// Package handover hands a cluster of a placement, or one of manifests, over to QoS: its
// nodes become the hosts of a scenario and its jobs the controllers, with the service
// classes that stand for priority classes. What a what-if drains or fails goes down after
// a quarter of the time.
package handover
