package exact

import (
	"math"
	"slices"

	"berth/engine/assign"
)

// equalClusters returns for each cluster the first one that no job, link or
// constraint tells from it: turned around in any placement, the two change
// neither its cost nor whether it is one.
func equalClusters(s *state) []int32 {
	first := make([]int32, s.clusters)
	byHash := map[uint64][]int32{}
	for c := range s.clusters {
		first[c] = int32(c)
		h := s.hash(c)
		for _, other := range byHash[h] {
			if s.same(int(other), c) {
				first[c] = other
				break
			}
		}
		if first[c] == int32(c) {
			byHash[h] = append(byHash[h], int32(c))
		}
	}
	return first
}

// hash mixes what jobs see of a cluster.
func (s *state) hash(c int) uint64 {
	h := uint64(14695981039346656037)
	mix := func(v float64) { h = (h ^ math.Float64bits(v)) * 1099511628211 }
	for j := range s.jobs {
		mix(s.cost[j*s.clusters+c])
	}
	for r := range s.room {
		mix(s.room[r][c])
	}
	return h
}

func (s *state) same(a, b int) bool {
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
	if !sameLegs(p.Links.Leg, a, b) || !s.samePairs(p.Links.Pair, a, b) {
		return false
	}
	for i := range p.Limits {
		if !sameLegs(p.Limits[i].Leg, a, b) || !s.samePairs(p.Limits[i].Pair, a, b) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Lanes, func(l assign.Lanes) bool {
		if l.Leg == nil {
			return true // ways may cross both
		}
		x, y := l.Leg[a], l.Leg[b]
		return (x < 0) != (y < 0) || x >= 0 && l.Capacity[x] != l.Capacity[y]
	})
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
