package kube

import (
	"cmp"
	"slices"
	"strings"

	"berth/engine/show"
)

// Consolidate finds nodes that can be emptied because the scheduler would place their
// pods elsewhere, without preemption, within the budgets, and with at most the given
// number of moves in each cluster (0: unlimited). It tries the most expensive nodes
// first, then those with the lowest CPU usage. Nodes with pods that no controller
// recreates, or that would lose an emptyDir, stay.
func Consolidate(profile Profile, pools []NodeType, most int, clusters ...*Cluster) *ConsolidateReport {
	r := &ConsolidateReport{Emptied: []EmptiedNode{}, Moves: []MovedPod{}, Kept: []KeptNode{}, Saves: Resources{}}
	for _, c := range clusters {
		c.consolidate(profile, pools, most, r)
	}
	return r
}

// consolidate adds the nodes of one cluster to a report.
func (c *Cluster) consolidate(profile Profile, pools []NodeType, most int, r *ConsolidateReport) {
	s, waiting := c.State(profile)
	s.Run(waiting, c.Budgets)
	at, before := map[*Pod]int{}, len(r.Moves) // at: index in Moves by pod
	var saved *float64
	for _, n := range s.byUse(pools) {
		node := &s.Nodes[n]
		leaving, why := s.evictable(n, c.Budgets)
		switch {
		case node.Cordoned || node.Closed != "":
			continue
		case why == "" && most > 0 && len(r.Moves)-before+len(leaving) > most:
			why = "its pods are more moves than are left"
		}
		if why == "" {
			why = s.empty(n, leaving)
		}
		if why != "" {
			r.Kept = append(r.Kept, KeptNode{ClusterNode{c.Name, node.Name}, why})
			continue
		}
		for _, p := range leaving {
			if _, moved := at[p]; !moved { // a pod that has already moved goes directly to its last node
				at[p] = len(r.Moves)
				r.Moves = append(r.Moves, MovedPod{PodOnNode: p.from(node.Name)})
			}
			r.Moves[at[p]].To = s.Where(p)
		}
		one := EmptiedNode{ClusterNode: ClusterNode{c.Name, node.Name}}
		if price := priceOf(node, pools); price != 0 {
			one.Price = &price
		}
		r.Emptied = append(r.Emptied, one)
		saved = plus(saved, one.Price)
		for _, resource := range []string{CPU, Memory} {
			r.Saves[resource] += node.Allocatable[resource]
		}
	}
	r.Price = plus(r.Price, saved)
	r.Unguarded = r.Unguarded || len(at) > 0 && c.unguarded()
}

// plus adds two hourly prices. A nil price is unknown and adds nothing.
func plus(a, b *float64) *float64 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return new(*a + *b)
}

// byUse orders nodes by descending price, then by ascending CPU usage.
func (s *ClusterState) byUse(pools []NodeType) []int {
	cpu := s.number[CPU]
	share := func(n int) float64 { return float64(s.used[n][cpu]) / float64(max(1, s.total[n][cpu])) }
	return ordered(len(s.Nodes), func(a, b int) int {
		return cmp.Or(cmp.Compare(priceOf(&s.Nodes[b], pools), priceOf(&s.Nodes[a], pools)), cmp.Compare(share(a), share(b)))
	})
}

// ordered sorts the numbers below n stably.
func ordered(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

// evictable returns the pods that would leave a node, or the reason why some cannot.
func (s *ClusterState) evictable(n int, budgets []*Budget) (leaving []*Pod, why string) {
	for _, p := range s.pods[n] {
		switch {
		case p.Ending || p.ofNode():
			continue
		case p.bare():
			return nil, "no controller recreates the pod " + p.Name
		case p.Local:
			return nil, "the pod " + p.Name + " would lose its emptyDir"
		}
		if by := blocking(budgets, p); by != "" {
			return nil, "the " + show.Verb(1+strings.Count(by, ","), "budget "+by+" keeps", "budgets "+by+" keep") + " the pod " + p.Name
		}
		leaving = append(leaving, p)
	}
	slices.SortStableFunc(leaving, func(a, b *Pod) int { return strings.Compare(a.Name, b.Name) })
	return Queue(leaving), ""
}

// empty moves the pods of a node elsewhere. If that fails it restores the state and
// returns the reason.
func (s *ClusterState) empty(n int, leaving []*Pod) (why string) {
	s.Cordon(n, true)
	for _, p := range leaving {
		s.Take(p)
	}
	for i, p := range leaving {
		d := s.Schedule(p)
		if d.Node >= 0 && d.Node != n {
			continue
		}
		for _, q := range leaving[:i] {
			s.Take(q)
		}
		if d.Node >= 0 {
			s.Take(p)
		}
		for _, q := range leaving {
			s.Put(q, n)
		}
		s.Cordon(n, false)
		return "no other node takes the pod " + p.Name
	}
	return ""
}
