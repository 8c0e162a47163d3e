package exact

import (
	"math"
	"slices"

	"berth/engine/solve"
)

// dominance rules out partial placements that no cheapest placement is part of:
// where a job that stands can move, or two can change their places, so that
// whatever becomes of the rest costs less and has no less room.
type dominance struct {
	*state
	exact   bool        // sums of amounts are: room is the same in any order
	allowed []uint64    // by job: a bit for each cluster that it may stand on at all
	spare   [][]float64 // by resource and cluster: what of the room nothing that does not stand can take
}

func newDominance(s *state) dominance {
	d := dominance{state: s, exact: len(s.p.Lanes) == 0 && s.tally == nil, allowed: slices.Clone(s.left)}
	for r, amount := range s.amount {
		most := 0.
		for _, v := range amount {
			most = max(most, v)
		}
		d.exact = d.exact && (most == 0 || solve.Divisor(amount) > 0) && most*float64(s.jobs) < 1<<53
		d.spare = append(d.spare, slices.Clone(s.room[r]))
	}
	return d
}

// dominated says whether the jobs that stand can be placed better.
func (d *dominance) dominated() bool {
	if !d.exact || d.placed == 0 {
		return false
	}
	d.spares()
	d.did(d.jobs + d.placed*(2*d.jobs+d.clusters*(4+len(d.room))))
	for j := range int32(d.jobs) {
		if d.at[j] < 0 || !d.goOn() {
			continue
		}
		for c := range d.clusters {
			if d.admits(j, c, -1) && d.saves(d.moved(j, c, -1)) {
				return true
			}
		}
		for k := range j {
			if a, b := d.at[j], d.at[k]; b >= 0 && a != b && d.admits(j, int(b), k) && d.admits(k, int(a), j) &&
				d.saves(d.moved(j, int(b), k)+d.moved(k, int(a), j)) {
				return true
			}
		}
	}
	return false
}

// saves says whether a change of the cost is a gain for certain.
func (d *dominance) saves(change float64) bool {
	return change < -1e-9*(1+math.Abs(d.total))
}

// spares works out what room is left whatever becomes of the rest.
func (d *dominance) spares() {
	for r, spare := range d.spare {
		copy(spare, d.room[r])
		d.did(2*d.clusters + d.jobs)
		for j := range int32(d.jobs) {
			if d.at[j] >= 0 {
				continue
			}
			d.did(d.words + 5*int(d.size[j]))
			for c := d.next(j, 0); c >= 0; c = d.next(j, c+1) {
				spare[c] -= d.amount[r][int(j)*d.clusters+c]
			}
		}
		for c, v := range spare {
			spare[c] = max(0, v)
		}
	}
}

// admits says whether a job can stand on another cluster, which another one leaves
// (-1 for none), without taking room from the rest.
func (d *dominance) admits(job int32, c int, leaving int32) bool {
	if int(d.at[job]) == c || d.allowed[int(job)*d.words+c/64]>>(c%64)&1 == 0 {
		return false
	}
	for r := range d.room {
		more := d.amount[r][int(job)*d.clusters+c]
		if leaving >= 0 {
			more -= d.amount[r][int(leaving)*d.clusters+c]
		}
		if more > d.spare[r][c] {
			return false
		}
	}
	return true
}

// moved is by how much more a job costs at most on another cluster, except its
// links to the one that changes places with it; +Inf where a link might not be
// possible.
func (d *dominance) moved(job int32, c int, partner int32) float64 {
	from := int(d.at[job])
	d.did(20 + 20*int(d.start[job+1]-d.start[job]))
	change := d.cost[int(job)*d.clusters+c] - d.cost[int(job)*d.clusters+from]
	for i := d.start[job]; i < d.start[job+1]; i++ {
		other, k := d.neighbour[i], d.dependency[i]
		if other == partner {
			continue
		}
		if at := int(d.at[other]); at >= 0 {
			change += d.pairCost(k, job, c, at) - d.pairCost(k, job, from, at)
			continue
		}
		d.did(d.words + 25*int(d.size[other]))
		most := math.Inf(-1)
		for at := d.next(other, 0); at >= 0; at = d.next(other, at+1) {
			most = max(most, d.pairCost(k, job, c, at)-d.pairCost(k, job, from, at))
		}
		change += most
	}
	return change
}
