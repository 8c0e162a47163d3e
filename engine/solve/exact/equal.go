package exact

import (
	"cmp"
	"slices"

	"berth/engine/solve"
)

// equalClusters returns for each cluster the first identical one. Clusters are identical if
// swapping them in any placement changes neither its cost nor its validity. With counters, no two
// clusters are identical.
func equalClusters(s *state) []int32 {
	return classes(s.clusters, s.tally != nil, s.same, func(c int) (figure float64) {
		s.did(10 * s.jobs)
		for j := range s.jobs {
			figure += s.cost[j*s.clusters+c]
		}
		for _, room := range s.room {
			figure += room[c]
		}
		return figure
	})
}

// equalJobs returns for each job the first identical one. Identical jobs depend on the same other
// jobs, and either all or none of them on each other. With counters, no two jobs are identical.
func equalJobs(s *state) []int32 {
	first := classes(s.jobs, s.tally != nil, s.sameJobs, func(j int) (figure float64) {
		s.did(3*s.clusters + 5*int(s.start[j+1]-s.start[j]))
		for _, cost := range s.cost[j*s.clusters : (j+1)*s.clusters] {
			figure += cost
		}
		var others int64 // a sum, because it does not depend on their order
		for _, other := range s.neighbour[s.start[j]:s.start[j+1]] {
			others += int64(other)
		}
		return figure + float64(others)
	})
	for _, d := range s.p.Dependencies {
		if a, b := min(d.A, d.B), max(d.A, d.B); s.tally == nil && first[b] > first[a] && s.sameJobs(int(a), int(b)) {
			first[b] = first[a]
		}
	}
	return first
}

// classes returns for each index the first identical one. It compares only indices with equal
// figures. If apart is true, none are identical.
func classes(n int, apart bool, same func(a, b int) bool, figure func(int) float64) []int32 {
	first, byFigure := make([]int32, n), map[float64][]int32{}
	for i := range first {
		first[i] = int32(i)
		if apart {
			continue
		}
		of := figure(i)
		if k := slices.IndexFunc(byFigure[of], func(other int32) bool { return same(int(other), i) }); k >= 0 {
			first[i] = byFigure[of][k]
		} else {
			byFigure[of] = append(byFigure[of], first[i])
		}
	}
	return first
}

// sameJobs reports whether two jobs are identical. The direction of a dependency does not matter.
func (s *state) sameJobs(a, b int) bool {
	s.did(s.clusters*(3+len(s.room)) + 100*int(s.start[a+1]-s.start[a]))
	row := func(all []float64, j int) []float64 { return all[j*s.clusters : (j+1)*s.clusters] }
	if !slices.Equal(row(s.cost, a), row(s.cost, b)) || !slices.Equal(s.left[a*s.words:(a+1)*s.words], s.left[b*s.words:(b+1)*s.words]) {
		return false
	}
	for _, amount := range s.amount {
		if !slices.Equal(row(amount, a), row(amount, b)) {
			return false
		}
	}
	return slices.EqualFunc(s.links(a, b), s.links(b, a), func(x, y link) bool {
		return x.to == y.to && s.sameDependencies(int(x.dependency), int(y.dependency))
	})
}

// link is a dependency of a job and the job at its other end.
type link struct{ to, dependency int32 }

// links returns the dependencies of a job except those on but, sorted by the other job.
func (s *state) links(j, but int) []link {
	var links []link
	for i := s.start[j]; i < s.start[j+1]; i++ {
		if int(s.neighbour[i]) != but {
			links = append(links, link{s.neighbour[i], s.dependency[i]})
		}
	}
	slices.SortStableFunc(links, func(a, b link) int { return cmp.Compare(a.to, b.to) })
	return links
}

func (s *state) sameDependencies(a, b int) bool {
	return s.p.Dependencies[a].Weight == s.p.Dependencies[b].Weight &&
		!slices.ContainsFunc(s.p.Limits, func(l solve.Limit) bool { return l.Bound[a] != l.Bound[b] }) &&
		!slices.ContainsFunc(s.p.Lanes, func(l solve.Lanes) bool { return l.Amount[a] != l.Amount[b] })
}

// refuseTwins removes a cluster that a job cannot use, because of a conflict, from all identical
// unplaced jobs. It returns a job that has no cluster left, or -1.
func (s *state) refuseTwins(job int32, c int, conflict []uint64) (empty int32) {
	s.did(s.jobs)
	for j, first := range s.alike {
		j := int32(j)
		if first != s.alike[job] || j == job || s.at[j] >= 0 || !s.has(j, c) {
			continue
		}
		if s.why != nil {
			copy(s.reason(j, c), conflict)
		}
		if !s.take(j, c) {
			return j
		}
	}
	return -1
}

func (s *state) same(a, b int) bool {
	s.did(5*s.jobs*(1+len(s.room)) + 2*s.clusters*(1+len(s.p.Limits)))
	for j := range int32(s.jobs) {
		if s.has(j, a) != s.has(j, b) || s.cost[int(j)*s.clusters+a] != s.cost[int(j)*s.clusters+b] {
			return false
		}
		for r := range s.amount {
			if s.amount[r][int(j)*s.clusters+a] != s.amount[r][int(j)*s.clusters+b] {
				return false
			}
		}
	}
	for r := range s.room {
		if s.room[r][a] != s.room[r][b] {
			return false
		}
	}
	p := s.p
	if !s.sameLinks(&p.Links, a, b) || !s.sameLinks(&p.Flat, a, b) {
		return false
	}
	for i := range p.Limits {
		if !sameLegs(p.Limits[i].Leg, a, b) || !s.samePairs(p.Limits[i].Pair, a, b) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Lanes, func(l solve.Lanes) bool {
		if l.Leg == nil {
			return true // paths may cross both clusters
		}
		x, y := l.Leg[a], l.Leg[b]
		return (x < 0) != (y < 0) || x >= 0 && l.Capacity[x] != l.Capacity[y]
	})
}

func (s *state) sameLinks(l *solve.Links, a, b int) bool {
	return sameLegs(l.Leg, a, b) && s.samePairs(l.Pair, a, b)
}

func sameLegs(leg []float64, a, b int) bool { return leg == nil || leg[a] == leg[b] }

func (s *state) samePairs(pair []float64, a, b int) bool {
	if pair == nil {
		return true
	}
	for c := range s.clusters {
		if c != a && c != b && pair[a*s.clusters+c] != pair[b*s.clusters+c] {
			return false
		}
	}
	return true
}
