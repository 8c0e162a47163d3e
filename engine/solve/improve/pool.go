package improve

import (
	"slices"

	"berth/engine/solve"
)

// pool has the best placements that were found, the best first.
type pool struct{ all []pooled }

type pooled struct {
	cluster []int32
	cost    float64
}

// pooledAtMost bounds the pool.
const pooledAtMost = 8

// add adds a placement unless it is there, or dearer than a full pool.
func (p *pool) add(cluster []int32, cost float64) {
	at, same := slices.BinarySearchFunc(p.all, cost, func(x pooled, cost float64) int {
		switch {
		case x.cost < cost-float64(1e-9*cost):
			return -1
		case x.cost > cost+float64(1e-9*cost):
			return 1
		}
		return 0
	})
	if same || at == pooledAtMost {
		return
	}
	if len(p.all) == pooledAtMost {
		p.all = p.all[:pooledAtMost-1]
	}
	p.all = append(p.all, pooled{})
	copy(p.all[at+1:], p.all[at:])
	p.all[at] = pooled{slices.Clone(cluster), cost}
}

// pick returns where to begin next: one of the pool, the better the more often, or one
// with a region of jobs as another has them.
func (p *pool) pick(m *model, random *solve.Random, to []int32) {
	n := len(p.all)
	one := p.all[random.Below(n)*random.Below(n)/n].cluster
	copy(to, one)
	if n < 2 || random.Next()>>62 > 0 {
		return
	}
	other := p.all[random.Below(n)].cluster
	for _, j := range region(m, int32(random.Below(m.jobs)), m.jobs/2, random.Below) {
		to[j] = other[j]
	}
}

// region returns jobs around one, over dependencies: at most so many.
func region(m *model, from int32, most int, below func(int) int) []int32 {
	found := []int32{from}
	seen := make([]bool, m.jobs)
	seen[from] = true
	for at := 0; at < len(found) && len(found) < most; at++ {
		// In any order, so that not all regions around a job are the same.
		pick := at + below(len(found)-at)
		found[at], found[pick] = found[pick], found[at]
		for i := m.start[found[at]]; i < m.start[found[at]+1] && len(found) < most; i++ {
			if k := m.neighbour[i]; !seen[k] {
				seen[k] = true
				found = append(found, k)
			}
		}
	}
	return found
}
