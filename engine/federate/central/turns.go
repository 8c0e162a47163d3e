package central

// Turn is the place of a waiting flow in the order of service.
type Turn struct {
	Value float64 // the smallest value is served first,
	Order int64   // then the smallest order
	Flow  int32
}

func (t *Turn) before(u *Turn) bool {
	if t.Value != u.Value {
		return t.Value < u.Value
	}
	return t.Order < u.Order
}

// Turns is a heap of waiting flows with access to each flow by its number.
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
	h.up(len(h.heap) - 1)
}

// Change changes the value of a waiting flow.
func (h *Turns) Change(flow int32, value float64) {
	i := int(h.place[flow]) - 1
	h.heap[i].Value = value
	h.up(i)
	h.down(int(h.place[flow]) - 1)
}

// Drop removes a waiting flow.
func (h *Turns) Drop(flow int32) {
	i, last := int(h.place[flow])-1, len(h.heap)-1
	h.swap(i, last)
	h.heap = h.heap[:last]
	h.place[flow] = 0
	if i < last {
		h.up(i)
		h.down(i)
	}
}

func (h *Turns) swap(i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	h.place[h.heap[i].Flow], h.place[h.heap[j].Flow] = int32(i+1), int32(j+1)
}

func (h *Turns) up(i int) {
	for i > 0 && h.heap[i].before(&h.heap[(i-1)/2]) {
		h.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (h *Turns) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.heap); child++ {
			if h.heap[child].before(&h.heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h.swap(i, least)
		i = least
	}
}
