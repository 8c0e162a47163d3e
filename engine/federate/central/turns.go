package central

// turn is a flow that waits, with the first job of it.
type turn struct {
	value     float64
	job, flow int32
}

func (t *turn) before(u *turn) bool {
	if t.value != u.value {
		return t.value < u.value
	}
	return t.job < u.job
}

// turns are flows that wait, as a heap that finds each of them.
type turns struct {
	heap  []turn
	place []int32 // of each flow in the heap, from 1; 0: it does not wait
}

func newTurns(flows int) turns { return turns{place: make([]int32, flows)} }

func (h *turns) some() bool          { return len(h.heap) > 0 }
func (h *turns) first() turn         { return h.heap[0] }
func (h *turns) has(flow int32) bool { return h.place[flow] > 0 }

func (h *turns) put(t turn) {
	h.heap = append(h.heap, t)
	h.place[t.flow] = int32(len(h.heap))
	h.up(len(h.heap) - 1)
}

func (h *turns) change(flow int32, value float64) {
	i := int(h.place[flow]) - 1
	h.heap[i].value = value
	h.up(i)
	h.down(int(h.place[flow]) - 1)
}

func (h *turns) drop(flow int32) {
	i, last := int(h.place[flow])-1, len(h.heap)-1
	h.swap(i, last)
	h.heap = h.heap[:last]
	h.place[flow] = 0
	if i < last {
		h.up(i)
		h.down(i)
	}
}

func (h *turns) swap(i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	h.place[h.heap[i].flow], h.place[h.heap[j].flow] = int32(i+1), int32(j+1)
}

func (h *turns) up(i int) {
	for i > 0 && h.heap[i].before(&h.heap[(i-1)/2]) {
		h.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (h *turns) down(i int) {
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
