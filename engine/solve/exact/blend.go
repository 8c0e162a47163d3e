package exact

// blend has, for each cluster, the weights that combine the resources into the size of a job.
type blend struct {
	resources int
	share     []float64 // by cluster and resource; the shares of a cluster sum to 1
	last      []float64 // by cluster and resource: direction of the last adjustment
	pace      []float64 // by cluster: step length
	load      []float64 // by resource, scratch: load of the first items relative to the room
}

func newBlend(s *state) blend {
	n := len(s.room)
	b := blend{resources: n, share: make([]float64, s.clusters*n), last: make([]float64, s.clusters*n), pace: make([]float64, s.clusters), load: make([]float64, n)}
	for i := range b.share {
		b.share[i] = 1 / float64(n)
	}
	for c := range b.pace {
		b.pace[c] = 1
	}
	return b
}

func (b *blend) of(c int) []float64 { return b.share[c*b.resources : (c+1)*b.resources] }

// leastShare keeps every resource in the blend.
const leastShare = 1e-4

// adjust shifts the weights of a cluster towards the resources that the first items of its knapsack
// would overload. It halves the step length when the direction reverses.
func (b *blend) adjust(s *state, c int, items []item, room float64) {
	b.fill(s, c, items, room)
	share, last := b.of(c), b.last[c*b.resources:(c+1)*b.resources]
	mean, along := 0.0, 0.0
	for r, v := range b.load {
		mean += float64(share[r] * v)
	}
	for r, v := range b.load {
		along += float64(last[r] * (v - mean))
	}
	if along < 0 {
		b.pace[c] = max(b.pace[c]/2, 1e-3)
	} else {
		b.pace[c] = min(b.pace[c]*1.1, 1)
	}
	sum := 0.0
	for r, v := range b.load {
		last[r] = max(-1, min(1, v-mean))
		share[r] = max(leastShare, share[r]*(1+float64(b.pace[c]*last[r]/2)))
		sum += share[r]
	}
	for r := range share {
		share[r] /= sum
	}
}

// fill sums the amounts of the first items that fit, including a fraction of the last one.
func (b *blend) fill(s *state, c int, items []item, room float64) {
	clear(b.load)
	for i := range items {
		it := &items[i]
		part := 1.0
		if it.size > room {
			part = room / it.size
		}
		room -= float64(part * it.size)
		for r := range b.load {
			if amount := s.amount[r][int(it.job)*s.clusters+c]; amount > 0 {
				b.load[r] += float64(part * (amount / s.room[r][c]))
			}
		}
		if part < 1 {
			return
		}
	}
}
