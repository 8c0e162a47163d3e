package packing

import (
	"cmp"
	"slices"
)

// Port is one of a node that a pod takes.
type Port struct {
	IP       string // of the node; "" or 0.0.0.0: all of them
	Protocol string // "" is TCP
	Number   int
}

// allAddresses stands for every address of a node.
const allAddresses = "0.0.0.0"

// conflicts says whether two pods cannot both take these ports of one node.
func (p *Port) conflicts(q *Port) bool {
	a, b := cmp.Or(p.IP, allAddresses), cmp.Or(q.IP, allAddresses)
	return p.Number == q.Number && cmp.Or(p.Protocol, "TCP") == cmp.Or(q.Protocol, "TCP") &&
		(a == b || a == allAddresses || b == allAddresses)
}

// Collides says whether pods of two shapes want the same port of a node.
func (s *Shape) Collides(o *Shape) bool {
	return slices.ContainsFunc(s.Ports, func(p Port) bool {
		return slices.ContainsFunc(o.Ports, func(q Port) bool { return p.conflicts(&q) })
	})
}
