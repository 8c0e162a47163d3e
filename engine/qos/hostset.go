package qos

import "slices"

// hostSet is a set of hosts: their numbers in ascending order.
type hostSet []uint32

func (s hostSet) has(h int) bool {
	_, ok := slices.BinarySearch(s, uint32(h))
	return ok
}

func (s *hostSet) add(h int) {
	if at, known := slices.BinarySearch(*s, uint32(h)); !known {
		*s = slices.Insert(*s, at, uint32(h))
	}
}

// newBits returns a bitmap of n hosts.
func newBits(n int) []uint64 { return make([]uint64, (n+63)/64) }
