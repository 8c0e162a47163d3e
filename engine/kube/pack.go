package kube

import (
	"cmp"
	"fmt"
	"slices"
)

// Verdict says whether pods fit on a cluster.
type Verdict uint8

const (
	Unknown Verdict = iota // neither a packing nor a proof was found
	Fits                   // a packing exists
	Cannot                 // proved: no packing exists
)

func (v Verdict) String() string { return [...]string{"unknown", "fits", "cannot"}[v] }

// Result is the result of packing groups.
type Result struct {
	Verdict Verdict
	Reason  string     // why the pods do not fit, like kubectl describe pod; "" if they fit
	Proof   string     // for Cannot: "bound" or "search"
	Steps   int        // steps of the search
	On      [][]Placed // for Fits: placement of each group, in the order given, then of the evicted groups
}

// Placed is a number of pods of one group on a node.
type Placed struct{ Node, Pods int }

// Pack packs groups, given by their indexes, onto the nodes with the running pods. It suspends
// affinity and spread constraints that pods of the later groups may still satisfy.
func (p *Packer) Pack(groups []int, later ...int) Result {
	all := p.divided(p.withEvicted(groups))
	p.loosen(all, p.divided(later))
	if r := p.inadmissible(groups); r.Verdict == Cannot {
		return r
	}
	on, reason := p.tries(all, groups)
	if on != nil {
		return Result{Verdict: Fits, On: on}
	}
	if g, most := p.bound(all); g >= 0 {
		if most >= 0 {
			reason = p.boundReason(g, most)
		}
		return Result{Verdict: Cannot, Proof: "bound", Reason: reason}
	}
	search := newSearch(p, p.bySize(all))
	defer search.clear()
	switch found, whole := search.run(); {
	case found:
		return Result{Verdict: Fits, Steps: search.steps, On: search.on(groups)}
	case whole:
		return Result{Verdict: Cannot, Proof: "search", Steps: search.steps, Reason: reason}
	}
	return Result{Verdict: Unknown, Steps: search.steps, Reason: fmt.Sprintf("%s No packing was found in %d steps; one may exist.", reason, search.steps)}
}

// tries runs several greedy packings. It returns the placement of groups by the first
// successful one, or nil and the message about the group that the first packing cannot place.
func (p *Packer) tries(all, groups []int) (on [][]Placed, stuck string) {
	try := func(order []int, tight bool, first []bool) bool {
		s, failed := p.greedy(order, tight, first)
		defer s.clear()
		switch {
		case failed < 0:
			on = s.on(groups)
		case stuck == "":
			stuck = s.someFit(failed, s.number[failed])
		}
		return failed < 0
	}
	for _, order := range [][]int{p.bySize(all), p.byChoice(all)} {
		if try(order, true, nil) || try(order, false, nil) {
			return on, ""
		}
	}
	for _, first := range p.firsts(all) {
		if try(p.bySize(all), true, first) {
			break
		}
	}
	return on, stuck
}

// Packed returns the groups of [Result.On], in its order, for packing the given groups.
func (p *Packer) Packed(groups []int) []Group {
	var all []Group
	for _, g := range groups {
		all = append(all, p.groups[g])
	}
	return append(all, p.cluster.Evicted...)
}

// boundReason describes a bound: how many pods of a group fit at most, even without the other
// groups.
func (p *Packer) boundReason(g, most int) string {
	s := p.begin()
	defer s.clear()
	for _, n := range p.table(g).nodes {
		if !s.alone(g, int(n)) {
			s.put(g, int(n), s.room(g, int(n), p.groups[g].Pods-s.number[g]))
		}
	}
	return s.someFit(g, most)
}

// someFit returns kube-scheduler's message about one more pod of a group, with counts over all
// nodes, and the number of pods that fit if that is not 0.
func (s *partial) someFit(g, fit int) string {
	reasons := s.state.unavailable(s.table(g).class, func(n int) []string { return s.why(g, n) })
	if fit == 0 {
		return reasons
	}
	return fmt.Sprintf("%s %d of %d pods fit.", reasons, fit, s.groups[g].Pods)
}

// on returns the placement of groups and of evicted groups.
func (s *partial) on(groups []int) [][]Placed {
	asked := s.withEvicted(groups)
	on := make([][]Placed, len(asked))
	for i, g := range asked {
		for n := range s.placed {
			pods := s.count(n, g)
			for _, part := range s.more[g] {
				pods += s.count(n, part)
			}
			if pods > 0 {
				on[i] = append(on[i], Placed{n, int(pods)})
			}
		}
	}
	return on
}

// withEvicted appends the evicted groups.
func (p *Packer) withEvicted(groups []int) []int {
	all := slices.Clone(groups)
	for g := p.given - len(p.cluster.Evicted); g < p.given; g++ {
		all = append(all, g)
	}
	return all
}

// divided appends the groups that were split off from the given groups.
func (p *Packer) divided(groups []int) []int {
	all := slices.Clone(groups)
	for _, g := range groups {
		all = append(all, p.more[g]...)
	}
	return all
}

// share returns the largest share, over all resources, that one pod of a group takes
// of the largest node.
func (p *Packer) share(g int) float64 {
	var share float64
	for r, need := range p.table(g).need {
		var largest int64
		for n := range p.state.Nodes {
			largest = max(largest, p.state.free(n, r))
		}
		if need > 0 {
			share = max(share, float64(need)/float64(max(1, largest)))
		}
	}
	return share
}

// bySize orders groups by descending share.
func (p *Packer) bySize(groups []int) []int {
	shares := map[int]float64{}
	for _, g := range groups {
		shares[g] = p.share(g)
	}
	order := slices.Clone(groups)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(shares[b], shares[a]), a-b)
	})
	return order
}

// byChoice orders groups by ascending number of possible nodes.
func (p *Packer) byChoice(groups []int) []int {
	order := p.bySize(groups)
	slices.SortStableFunc(order, func(a, b int) int { return len(p.table(a).nodes) - len(p.table(b).nodes) })
	return order
}

// greedy places one group after the other. It prefers nodes in first, then the nodes with the least
// room if tight, otherwise with the most. It retries groups with affinity after it has placed
// others. It returns the group that it could not place, or -1.
func (p *Packer) greedy(order []int, tight bool, first []bool) (s *partial, failed int) {
	s = p.begin()
	s.first = first
	for {
		var waiting []int
		more := false
		for _, g := range order {
			before := s.number[g]
			if len(p.table(g).asked.spread) > 0 {
				s.fillEvenly(g, tight)
			} else {
				s.fill(g, tight)
			}
			more = more || s.number[g] > before
			if s.number[g] == p.groups[g].Pods {
				continue
			}
			if !p.held(g) {
				return s, g
			}
			waiting = append(waiting, g)
		}
		if len(waiting) == 0 {
			return s, -1
		}
		if !more {
			return s, waiting[0]
		}
		order = waiting
	}
}

// preferred returns the possible nodes of a group, best first.
func (s *partial) preferred(g int, tight bool) []int32 {
	nodes := slices.Clone(s.table(g).nodes)
	need := s.table(g).need
	main := s.columns[0]
	for _, r := range s.columns { // the resource with the largest share of the cluster's free total
		if s.weight(need, r) > s.weight(need, main) {
			main = r
		}
	}
	slices.SortStableFunc(nodes, func(a, b int32) int {
		if s.first != nil && s.first[a] != s.first[b] {
			return map[bool]int{true: -1, false: 1}[s.first[a]]
		}
		order := cmp.Compare(s.state.free(int(a), main), s.state.free(int(b), main))
		if tight {
			return order
		}
		return -order
	})
	return nodes
}

func (s *partial) weight(need []int64, r int) float64 {
	var all int64
	for n := range s.state.Nodes {
		if f := s.state.free(n, r); f > 0 && f < unlimited/2 {
			all += f
		}
	}
	if all == 0 {
		return 0
	}
	return float64(need[r]) / float64(all)
}

func (s *partial) fill(g int, tight bool) {
	nodes := s.preferred(g, tight)
	for _, n := range nodes {
		if s.number[g] == s.groups[g].Pods {
			return
		}
		if pods := s.room(g, int(n), s.groups[g].Pods-s.number[g]); pods > 0 && !s.alone(g, int(n)) {
			s.put(g, int(n), pods)
		}
	}
}

// fillEvenly places the pods of a group one by one, each in the feasible domain of
// the first constraint with the fewest pods.
func (s *partial) fillEvenly(g int, tight bool) {
	even := &s.table(g).asked.spread[0]
	nodes := s.preferred(g, tight)
	for s.number[g] < s.groups[g].Pods {
		best, least := -1, int64(0)
		for _, n := range nodes {
			there := even.at(int(n))
			if !even.within[n] || best >= 0 && there >= least {
				continue
			}
			if s.takes(g, int(n)) {
				best, least = int(n), there
			}
		}
		if best < 0 {
			return
		}
		s.put(g, best, 1)
	}
}

// bound searches for a proof, by relaxations of the problem, that the groups do not
// fit. It returns a group and the maximum number of its pods that fit on their own;
// most is -1 if groups fail only together. group is -1 without a proof.
func (p *Packer) bound(groups []int) (group, most int) {
	s := p.begin()
	for _, g := range groups {
		room := make([]int, len(p.state.Nodes))
		for _, n := range p.table(g).nodes {
			room[n] = s.room(g, int(n), p.groups[g].Pods)
		}
		if most := p.within(g, groups, room); most < p.groups[g].Pods && !s.unsure {
			return g, most
		}
	}
	for _, g := range groups {
		if p.crowded(groups, g) {
			return g, -1
		}
	}
	return -1, -1
}

// crowded reports whether some groups demand more than the nodes of group of have, although they
// can use only these nodes. It compares the total, and the number of places for pods of the group's
// size.
func (p *Packer) crowded(groups []int, of int) bool {
	var within []int
	for _, g := range groups {
		if !slices.ContainsFunc(p.table(g).nodes, func(n int32) bool { return !p.table(of).open[n] }) {
			within = append(within, g)
		}
	}
	for _, r := range p.columns {
		var wanted, have int64
		size := p.table(of).need[r]
		var pods, places int64
		for _, g := range within {
			need := p.table(g).need[r]
			wanted += need * int64(p.groups[g].Pods)
			if need >= size {
				pods += int64(p.groups[g].Pods)
			}
		}
		for _, n := range p.table(of).nodes {
			free := max(0, p.state.free(int(n), r))
			have = min(have+free, 1<<62)
			if size > 0 {
				places = min(places+free/size, 1<<62)
			}
		}
		if wanted > have || size > 0 && pods > places {
			return true
		}
	}
	return false
}
