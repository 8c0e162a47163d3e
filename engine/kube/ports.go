package kube

import (
	"cmp"
	"slices"
)

// Port is a host port of a pod.
type Port struct {
	IP       string // host address; "" or 0.0.0.0: all addresses
	Protocol string // "" means TCP
	Number   int
}

// allAddresses matches every address of a node.
const allAddresses = "0.0.0.0"

// conflicts reports whether two pods on one node cannot both use these ports.
func (p *Port) conflicts(q *Port) bool {
	a, b := cmp.Or(p.IP, allAddresses), cmp.Or(q.IP, allAddresses)
	return p.Number == q.Number && cmp.Or(p.Protocol, "TCP") == cmp.Or(q.Protocol, "TCP") &&
		(a == b || a == allAddresses || b == allAddresses)
}

// Collides reports whether pods of two shapes need the same host port.
func (s *Shape) Collides(o *Shape) bool {
	return slices.ContainsFunc(s.Ports, func(p Port) bool {
		return slices.ContainsFunc(o.Ports, func(q Port) bool { return p.conflicts(&q) })
	})
}
