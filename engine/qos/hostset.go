package qos

import "slices"

// hostSet is a set of hosts: a sorted list of host numbers while the list is shorter
// than a bitmap of all hosts, otherwise that bitmap.
type hostSet []uint32

// words returns the length of a bitmap of n hosts in 32-bit words.
func words(n int) int { return (n + 31) / 32 }

// has reports whether the set contains host h; n is the number of all hosts.
func (s hostSet) has(h, n int) bool {
	if len(s) == words(n) {
		return s[h/32]>>(h%32)&1 != 0
	}
	_, ok := slices.BinarySearch(s, uint32(h))
	return ok
}

// add adds host h to the set; n is the number of all hosts.
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

// spread converts a list in place into a bitmap of the same length.
func (s hostSet) spread() {
	list := slices.Clone(s)
	clear(s)
	for _, h := range list {
		s[h/32] |= 1 << (h % 32)
	}
}

// newBits returns a bitmap of n hosts.
func newBits(n int) []uint64 { return make([]uint64, (n+63)/64) }
