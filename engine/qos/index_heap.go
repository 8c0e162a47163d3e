package qos

// heap is a binary heap whose first element precedes all others. P is the pointer
// type of the elements and defines their order.
type heap[T any, P interface {
	*T
	before(*T) bool
}] []T

// build establishes the heap order.
func (h heap[T, P]) build() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

func (h *heap[T, P]) push(e T) {
	*h = append(*h, e)
	h.rise()
}

// rise moves the last element up to its place.
func (h heap[T, P]) rise() {
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if !P(&h[i]).before(&h[parent]) {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// drop removes the first element.
func (h *heap[T, P]) drop() {
	all := *h
	last := len(all) - 1
	all[0] = all[last]
	*h = all[:last]
	if last > 0 {
		h.sink(0)
	}
}

// sink moves element i down to its place.
func (h heap[T, P]) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && P(&h[child+1]).before(&h[child]) {
			child++
		}
		if !P(&h[child]).before(&h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i] // in place: a copy of an element would escape
		i = child
	}
}
