package improve

import "math"

// repair goes from an attempt at a placement to a placement, whatever it costs, by
// min-conflicts (Minton, Johnston, Philips, Laird 1992): each step takes one broken
// constraint and makes the move of its jobs after which the weights of all broken
// constraints add up to the least. Where no move lowers the sum, all broken constraints gain
// weight (Morris 1993), and a job does not return to a cluster for some steps.
type repair struct{ *state }

// from begins at an attempt, with all weights at 1.
func (r *repair) from(cluster []int32) {
	r.begin(cluster)
	r.worth, r.pair = 0, 1
	fill(r.price, 1)
	fill(r.toll, 1)
}

// run makes at most so many steps, and says whether it has come to a placement.
func (r *repair) run(steps int64) bool {
	for range steps {
		if !r.step() {
			return true
		}
	}
	return false
}

// step mends one broken constraint. It reports false if none is broken.
func (r *repair) step() bool {
	r.seek(math.Inf(1), 0)
	if !r.mend() {
		return false
	}
	x := r.found
	if x.j < 0 {
		return true
	}
	if r.most >= 0 {
		r.raise()
	}
	r.bar(x.j)
	if x.k >= 0 {
		r.bar(x.k)
	}
	r.apply(x)
	return true
}

// bar keeps a job away from where it is.
func (r *repair) bar(j int32) {
	r.barred[r.at(j, r.cluster[j])] = r.now + 5 + int64(r.random.Below(10))
}

// mend finds a move for one of the constraints that are broken, any of them.
func (r *repair) mend() bool {
	var exceeded counter
	n := 0
	for _, c := range r.counters {
		if c.excess() > 0 {
			if n++; r.random.Below(n) == 0 {
				exceeded = c
			}
		}
	}
	n += len(r.broken.all) + len(r.full.all)
	if n == 0 {
		return false
	}
	switch x := r.random.Below(n); {
	case x < len(r.broken.all):
		d := r.p.Dependencies[r.broken.all[x]]
		r.around(d.A)
		r.around(d.B)
	case x < len(r.broken.all)+len(r.full.all):
		jobs := r.member[r.full.all[x-len(r.broken.all)]/int32(r.resources)]
		for _, j := range jobs {
			r.alone(j)
		}
		r.around(jobs[r.random.Below(len(jobs))])
	default:
		const some = 4
		jobs := exceeded.counts()
		for range some {
			r.around(jobs[r.random.Below(len(jobs))])
		}
	}
	return true
}

// around offers the moves of a job, alone and with others.
func (r *repair) around(j int32) {
	r.alone(j)
	r.swaps(j)
	if lo, hi := r.start[j], r.start[j+1]; lo < hi {
		r.together(j, r.neighbour[lo+int32(r.random.Below(int(hi-lo)))])
	}
}

// raise adds to the weights of all that is broken.
func (r *repair) raise() {
	for _, k := range r.broken.all {
		d := r.p.Dependencies[k]
		r.pairs.add(nil, r.conflict[int(d.A)*r.clusters:][:r.clusters], k, int(r.cluster[d.B]), 0, 1)
		r.pairs.add(nil, r.conflict[int(d.B)*r.clusters:][:r.clusters], k, int(r.cluster[d.A]), 0, 1)
		r.weight[k]++
	}
	for _, at := range r.full.all {
		r.price[at]++
	}
	for i, c := range r.counters {
		if c.excess() > 0 {
			r.toll[i]++
		}
	}
	r.work += 2 * int64(len(r.broken.all)*r.clusters)
}
