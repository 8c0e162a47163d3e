package qos

import "math/bits"

// hostSearch looks for a host for a request.
type hostSearch struct {
	*saving
	policy *Policy
	ref    Ref
	value  Q
	known  *verdicts
	exact  bool // every possible host is feasible
	lazy   bool // a verdict without a choice may get it later

	best     *choice
	feasible int
}

// chooseThriftily makes the same choice as literal.choose with fewer evaluations. If too few hosts
// may be feasible, it visits all hosts, and their order does not matter. The choice is valid until
// the next call.
func (a *saving) chooseThriftily(policy *Policy, j Ref) (choice, bool) {
	s := hostSearch{
		saving: a, policy: policy, ref: j, value: policy.value(&a.s.State, j), known: a.known(policy, j),
		exact: a.rooms.current != nil && a.s.instances[j].asks.Indexed(), lazy: a.validity == 0 && a.tolerance <= 1,
	}
	enough := max(1, int(a.Relaxed*float64(len(a.drawn))))
	switch may := s.findPossible(); {
	case a.Relaxed > 0 && may >= enough:
		a.random.Permute(a.drawn)
		s.visit(a.drawn, enough)
	case a.Relaxed > 0:
		a.random.Skip(len(a.drawn))
		fallthrough
	default:
		s.visitAll()
	}
	if s.best == nil {
		return choice{}, false
	}
	c := *s.best
	c.feasible = s.feasible
	return c, true
}

// findPossible sets the bitmap of the hosts that may be feasible and returns their number.
func (s *hostSearch) findPossible() (n int) {
	copy(s.possible, s.known.feasible)
	s.rooms.possible(s.ref, s.value, s.known.visited, s.possible)
	for _, word := range s.possible {
		n += bits.OnesCount64(word)
	}
	return n
}

// visitAll visits all hosts.
func (s *hostSearch) visitAll() {
	for i, word := range s.possible {
		s.mark(i, ^s.known.visited[i])
		for ; word != 0; word &= word - 1 {
			s.consider(i*64 + bits.TrailingZeros64(word))
		}
	}
}

// visit visits hosts in order until enough of them are feasible.
func (s *hostSearch) visit(order []int, enough int) {
	for _, h := range order {
		word, bit := h/64, uint64(1)<<(h%64)
		s.mark(word, bit&^s.known.visited[word])
		if s.possible[word]&bit != 0 && s.consider(h) && s.feasible == enough {
			return
		}
	}
}

// mark counts the evaluation of hosts, given as bits of a word.
func (s *hostSearch) mark(word int, hosts uint64) {
	s.s.operations += int64(bits.OnesCount64(hosts))
	s.known.visited[word] |= hosts
	for ; s.known.at != nil && hosts != 0; hosts &= hosts - 1 {
		s.known.at[word*64+bits.TrailingZeros64(hosts)] = s.s.now
	}
}

// consider compares a possible host with the best so far, and reports whether it is feasible. Once
// a host needs no preemption, it counts hosts that do need some without ranking them.
func (s *hostSearch) consider(h int) bool {
	known, word, bit := s.known, h/64, uint64(1)<<(h%64)
	if known.ranked[word]&bit == 0 {
		certain := s.exact || known.feasible[word]&bit != 0
		if certain && s.lazy && s.best != nil && len(s.best.victims) == 0 && !s.s.hosts[h].Fits(&s.s.instances[s.ref].asks) {
			known.feasible[word] |= bit
			s.feasible++
			return true
		}
		if known.choices[h] == nil {
			known.choices[h] = new(choice)
		}
		if !s.evaluate(h, known.choices[h]) {
			return false
		}
		known.ranked[word] |= bit
		known.feasible[word] |= bit
	}
	s.feasible++
	if c := known.choices[h]; s.best == nil || s.better(c, s.best) {
		s.best = c
	}
	return true
}

// evaluate makes host h, which is up and meets the constraints, a choice, like literal.evaluate. It
// reports whether the host is feasible.
func (s *hostSearch) evaluate(h int, c *choice) bool {
	asks, host := &s.s.instances[s.ref].asks, &s.s.hosts[h]
	c.host, c.victims, c.cost, c.score = h, c.victims[:0], c.cost[:0], s.scores[h]
	if host.Fits(asks) {
		return true
	}
	s.s.rest.Copy(&host.Room)
	all := s.rooms.sorted(h)
	for i := range all {
		k := &all[i]
		if !s.rooms.mayPreempt(s.ref, s.value, k) {
			continue
		}
		s.s.rest.Give(&k.asks, k.token)
		c.victims = append(c.victims, s.rooms.victim(k))
		if s.s.rest.Fits(asks) {
			c.cost = s.policy.Cost(&s.s.State, c.victims, c.cost)
			return true
		}
	}
	return false
}
