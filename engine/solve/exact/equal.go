package exact

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/solve"
	"berth/engine/sorting"
)

// equalClusters returns for each cluster the first identical one: swapping the two in any
// placement changes neither its cost nor its validity.
func equalClusters(s *state) []int32 {
	if s.tally != nil {
		return apart(s.clusters)
	}
	return classes(s.clusters, s.hash, s.same)
}

// apart makes each its own class. Counters distinguish jobs and clusters, so with counters none
// are identical.
func apart(n int) []int32 {
	first := make([]int32, n)
	for i := range first {
		first[i] = int32(i)
	}
	return first
}

// equalJobs returns for each job the first identical one. Identical jobs depend on the same
// others, and all of them on each other or none.
func equalJobs(s *state) []int32 {
	if s.tally != nil {
		return apart(s.jobs)
	}
	first := classes(s.jobs, func(j int) uint64 { return s.hashOfJob(j, false) }, s.sameJobs)
	for j, other := range classes(s.jobs, func(j int) uint64 { return s.hashOfJob(j, true) }, s.sameJobs) {
		first[j] = min(first[j], other)
	}
	return first
}

// classes returns for each index the first that is the same.
func classes(n int, hash func(int) uint64, same func(a, b int) bool) []int32 {
	first := make([]int32, n)
	byHash := map[uint64][]int32{}
	for i := range n {
		first[i] = int32(i)
		h := hash(i)
		for _, other := range byHash[h] {
			if same(int(other), i) {
				first[i] = other
				break
			}
		}
		if first[i] == int32(i) {
			byHash[h] = append(byHash[h], int32(i))
		}
	}
	return first
}

// hashOfJob hashes the costs and amounts of a job and the jobs that it depends on, optionally
// including itself.
func (s *state) hashOfJob(j int, itself bool) uint64 {
	h := offset
	s.did(3*s.clusters + 50 + 30*int(s.start[j+1]-s.start[j]))
	for c := range s.clusters {
		h = mix(h, s.cost[j*s.clusters+c])
	}
	for r := range s.amount {
		h = mix(h, s.amount[r][j*s.clusters])
	}
	others := slices.Clone(s.neighbour[s.start[j]:s.start[j+1]])
	if itself {
		others = append(others, int32(j))
	}
	slices.Sort(others)
	for _, other := range slices.Compact(others) {
		h = mixBits(h, uint64(other))
	}
	return mix(h, s.open[j])
}

// sameJobs says whether two jobs are identical. A dependency looks the same from both sides.
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

// link is a dependency of a job on another one.
type link struct{ to, dependency int32 }

// links returns the dependencies of a job by those it depends on, except one.
func (s *state) links(j, but int) []link {
	var links []link
	for i := s.start[j]; i < s.start[j+1]; i++ {
		if int(s.neighbour[i]) != but {
			links = append(links, link{s.neighbour[i], s.dependency[i]})
		}
	}
	sorting.Stable(links, func(a, b link) int { return cmp.Compare(a.to, b.to) })
	return links
}

func (s *state) sameDependencies(a, b int) bool {
	return s.p.Dependencies[a].Weight == s.p.Dependencies[b].Weight &&
		!slices.ContainsFunc(s.p.Limits, func(l solve.Limit) bool { return l.Bound[a] != l.Bound[b] }) &&
		!slices.ContainsFunc(s.p.Lanes, func(l solve.Lanes) bool { return l.Amount[a] != l.Amount[b] })
}

// refuseTwins removes a cluster that a job cannot use, because of a conflict, from all identical
// jobs. It returns a job that has no cluster left, or -1.
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

// hash hashes the costs, capacities and links of a cluster.
func (s *state) hash(c int) uint64 {
	h := offset
	s.did(10 * s.jobs)
	for j := range s.jobs {
		h = mix(h, s.cost[j*s.clusters+c])
	}
	for r := range s.room {
		h = mix(h, s.room[r][c])
	}
	h = s.mixLinks(h, s.p.Links.Leg, s.p.Links.Pair, c)
	for i := range s.p.Limits {
		h = s.mixLinks(h, s.p.Limits[i].Leg, s.p.Limits[i].Pair, c)
	}
	return h
}

// mixLinks hashes the links of a cluster independently of their order, because identical
// clusters swap places in it.
func (s *state) mixLinks(h uint64, leg, pair []float64, c int) uint64 {
	if leg != nil {
		h = mix(h, leg[c])
	}
	if pair == nil {
		return h
	}
	var sum uint64
	s.did(4 * s.clusters)
	for _, v := range pair[c*s.clusters : (c+1)*s.clusters] {
		sum += mix(offset, v)
	}
	return mixBits(h, sum)
}

// offset is the first value of the hashes of Fowler, Noll and Vo.
const offset = uint64(14695981039346656037)

func mix(h uint64, v float64) uint64 { return mixBits(h, math.Float64bits(v)) }

func mixBits(h, bits uint64) uint64 { return (h ^ bits) * 1099511628211 }

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
			return true // ways may cross both
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
