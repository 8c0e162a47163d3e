package qos

// offer is a host that can take a request if instances leave it.
type offer struct {
	host, rank int32
	changed    int64 // which change of the host it takes into account
	score      float64
	cost       []float64
}

func (o *offer) better(p *offer) bool {
	for i, cost := range o.cost {
		if cost != p.cost[i] {
			return cost > p.cost[i]
		}
	}
	if o.score != p.score {
		return o.score > p.score
	}
	return o.rank < p.rank
}

// newCost copies a tuple into one that is not used any more.
func newCost(spare [][]float64, tuple []float64) (cost []float64, left [][]float64) {
	if n := len(spare); n > 0 {
		cost, spare = spare[n-1], spare[:n-1]
	}
	return append(cost[:0], tuple...), spare
}

// raiseOffer restores the heap after an offer has been appended, if one has.
func raiseOffer(heap []offer) {
	if len(heap) == 0 {
		return
	}
	i := len(heap) - 1
	o := heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !o.better(&heap[parent]) {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = o
}

func buildOffers(heap []offer) {
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sinkOffer(heap, i)
	}
}

func sinkOffer(heap []offer, i int) {
	o := heap[i]
	for {
		child := 2*i + 1
		if child >= len(heap) {
			break
		}
		if child+1 < len(heap) && heap[child+1].better(&heap[child]) {
			child++
		}
		if !heap[child].better(&o) {
			break
		}
		heap[i] = heap[child]
		i = child
	}
	heap[i] = o
}

// popOffer removes the best offer.
func popOffer(heap []offer) []offer {
	last := len(heap) - 1
	heap[0] = heap[last]
	heap = heap[:last]
	if last > 0 {
		sinkOffer(heap, 0)
	}
	return heap
}
