package qos

import "slices"

// hostSet is an ascending list of host numbers.
type hostSet []int32

// has reports whether the set contains host h.
func (s hostSet) has(h int32) bool {
	_, known := slices.BinarySearch(s, h)
	return known
}

// add adds host h to the set.
func (s *hostSet) add(h int32) {
	if at, known := slices.BinarySearch(*s, h); !known {
		*s = slices.Insert(*s, at, h)
	}
}
