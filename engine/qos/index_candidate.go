package qos

import "slices"

// candidate is a host that can take a request if instances leave it. It is small,
// for they are many and all that are left are compared for each decision.
type candidate struct {
	host    int32
	lead    int32   // see leading
	leading float64 // the first term of the cost that is not 0
	below   Q       // it stands for requests with a value below this
	changed int64   // which change of the host it takes into account
	cost    int32   // where its tuple starts in the costs of the group
	terms   int32   // how many there are
}

// costOf returns the tuple of a candidate.
func (g *group) costOf(o *candidate) []float64 { return g.costs[o.cost : o.cost+o.terms] }

// leading returns the first term of a tuple that is not 0, and its sign times
// how many terms there are from it to the end. Tuples of the same length are in
// the order of first this number, then the term, then those behind it.
func leading(tuple []float64) (lead int, term float64) {
	for i, term := range tuple {
		switch {
		case term > 0:
			return len(tuple) - i, term
		case term < 0:
			return i - len(tuple), term
		}
	}
	return 0, 0
}

// behind says whether the leading terms of a make it worse than b.
func (a *candidate) behind(b *candidate) bool {
	return a.lead < b.lead || a.lead == b.lead && a.leading < b.leading
}

// better says whether a is to be preferred to b, both candidates of a group.
func (f *fast) better(g *group, a, b *candidate) bool {
	if a.lead != b.lead || a.leading != b.leading {
		return b.behind(a)
	}
	if a.lead > 1 || a.lead < -1 { // there are terms behind it
		if order := slices.Compare(g.costOf(a), g.costOf(b)); order != 0 {
			return order > 0
		}
	}
	return f.scoresAbove(int(a.host), int(b.host))
}
