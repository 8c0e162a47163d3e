package exact

import (
	"math"
	"slices"
)

// fix removes the clusters on which a job would raise the bound to enough. It returns false if that
// leaves a job without a cluster, or if the search must end.
func (x *relaxation) fix(enough float64) bool {
	bound := x.evaluate() // at the best prices
	slack := enough - bound
	without := make([]float64, x.jobs) // by job: rise of the bound if it uses none of the clusters that picked it
	for c := range x.clusters {
		if !x.goOn() {
			return false
		}
		for i := range x.sets[c] {
			if it := &x.sets[c][i]; it.picked {
				without[it.job] += max(0, x.value[c]-x.excluding(c, i, x.value[c]-slack))
			}
		}
	}
	for c := range x.clusters {
		x.did(2 * x.jobs)
		for j := range int32(x.jobs) {
			if x.at[j] >= 0 || !x.has(j, c) {
				continue
			}
			if !x.goOn() {
				return false
			}
			if x.dearer(j, c, without[j], slack) >= slack && !x.take(j, c) {
				return false
			}
		}
	}
	return true
}

// dearer returns the rise of the bound when a job uses one cluster and no other. It is exact only
// below slack; above slack, it is a lower bound.
func (x *relaxation) dearer(j int32, c int, without, slack float64) float64 {
	x.did(20 + len(x.sets[c]))
	at := slices.IndexFunc(x.sets[c], func(i item) bool { return i.job == j })
	if at >= 0 && x.sets[c][at].picked {
		return without - max(0, x.value[c]-x.excluding(c, at, x.value[c]-slack))
	}
	profit := x.price[j] - x.lessCost[int(j)*x.clusters+c]
	rest := x.excluding2(c, at, x.rooms[c]-x.size1(j, c), x.value[c]-profit-slack+without)
	return without + x.value[c] - profit - rest
}

// excluding bounds the knapsack of a cluster without one of its items.
func (x *relaxation) excluding(c, except int, threshold float64) float64 {
	return x.excluding2(c, except, x.rooms[c], threshold)
}

func (x *relaxation) excluding2(c, except int, room, threshold float64) float64 {
	if value := x.linear(x.sets[c], except, room); value <= threshold || len(x.room) > 1 {
		return value
	}
	items := x.sets[c]
	if except >= 0 {
		x.did(2 * len(items))
		items = slices.Concat(items[:except], items[except+1:])
	}
	return x.solve(items, room, max(0, threshold))
}

// branchOn returns the job with the fewest remaining clusters. Among equals, it prefers a job that
// not exactly one knapsack picks, then a job with many open dependencies.
func (x *relaxation) branchOn() int32 {
	x.did(5 * x.jobs)
	best, least := int32(-1), math.Inf(1)
	for j := range int32(x.jobs) {
		if x.at[j] >= 0 {
			continue
		}
		key := float64(4 * x.size[j])
		if x.count[j] == 1 {
			key += 2
		}
		key -= x.open[j] / (1 + math.Abs(x.open[j]))
		if key < least {
			best, least = j, key
		}
	}
	return best
}

// valuesOf appends the remaining clusters of a job in ascending order of their bounds.
func (x *relaxation) valuesOf(job int32, values []valued) []valued {
	bound := x.evaluate()
	for c := x.next(job, 0); c >= 0; c = x.next(job, c+1) {
		values = append(values, valued{int32(c), bound + x.dearerLinear(job, c)})
	}
	return ascending(values)
}

// dearerLinear is dearer with linear knapsacks; it is 0 on clusters whose knapsack picked the job.
func (x *relaxation) dearerLinear(j int32, c int) float64 {
	x.did(50 + len(x.sets[c]))
	at := slices.IndexFunc(x.sets[c], func(i item) bool { return i.job == j })
	if at >= 0 && x.sets[c][at].picked {
		return 0
	}
	profit := x.price[j] - x.lessCost[int(j)*x.clusters+c]
	return max(0, x.value[c]-profit-x.linear(x.sets[c], at, x.rooms[c]-x.size1(j, c)))
}
