package central

import "container/heap"

// Turn is the place of a waiting flow in the order of service.
type Turn struct {
	Value float64 // the smallest value is first,
	Order int64   // then the smallest order
	Flow  int32
}

// Turns is a heap of waiting flows that also finds each flow by its number.
type Turns struct {
	heap  []Turn
	place []int32 // by flow: its index in the heap plus 1; 0 if it does not wait
}

// NewTurns returns an empty heap for flows 0 to flows − 1.
func NewTurns(flows int) Turns { return Turns{place: make([]int32, flows)} }

// Some reports whether any flow waits, First returns the flow that is served next, and Has reports
// whether a flow waits.
func (h *Turns) Some() bool          { return len(h.heap) > 0 }
func (h *Turns) First() Turn         { return h.heap[0] }
func (h *Turns) Has(flow int32) bool { return h.place[flow] > 0 }

// Put adds a flow that does not wait yet.
func (h *Turns) Put(t Turn) {
	h.heap = append(h.heap, t)
	h.place[t.Flow] = int32(len(h.heap))
	heap.Fix((*order)(h), len(h.heap)-1)
}

// Change changes the value of a waiting flow.
func (h *Turns) Change(flow int32, value float64) {
	i := int(h.place[flow]) - 1
	h.heap[i].Value = value
	heap.Fix((*order)(h), i)
}

// Drop removes a waiting flow.
func (h *Turns) Drop(flow int32) {
	heap.Remove((*order)(h), int(h.place[flow])-1)
	h.place[flow] = 0
}

// order implements [heap.Interface].
type order Turns

func (h *order) Len() int { return len(h.heap) }

func (h *order) Less(i, j int) bool {
	a, b := &h.heap[i], &h.heap[j]
	return a.Value < b.Value || a.Value == b.Value && a.Order < b.Order
}

func (h *order) Swap(i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	h.place[h.heap[i].Flow], h.place[h.heap[j].Flow] = int32(i+1), int32(j+1)
}

func (h *order) Push(any) {}

func (h *order) Pop() any {
	h.heap = h.heap[:len(h.heap)-1]
	return nil
}
