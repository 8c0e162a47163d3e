package qos

import "slices"

// hostSet is a set of hosts: their numbers in order while that is shorter than a
// bitmap of all hosts, which it is from then on.
type hostSet []uint32

// words returns the length of a bitmap of n hosts.
func words(n int) int { return (n + 31) / 32 }

// has says whether host h is in a set of some of n hosts.
func (s hostSet) has(h, n int) bool {
	if len(s) == words(n) {
		return s[h/32]>>(h%32)&1 != 0
	}
	_, ok := slices.BinarySearch(s, uint32(h))
	return ok
}

// add puts host h into a set of some of n hosts.
func (s *hostSet) add(h, n int) {
	if len(*s) < words(n) {
		at, known := slices.BinarySearch(*s, uint32(h))
		if known {
			return
		}
		*s = slices.Insert(*s, at, uint32(h))
		if len(*s) < words(n) {
			return
		}
		s.spread()
		return
	}
	(*s)[h/32] |= 1 << (h % 32)
}

// spread makes a bitmap of a list of the same length.
func (s hostSet) spread() {
	list := slices.Clone(s)
	clear(s)
	for _, h := range list {
		s[h/32] |= 1 << (h % 32)
	}
}
