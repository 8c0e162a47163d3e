package qos

import "slices"

// candidate is a host that can take a request after preempting instances. The struct
// is small because each decision compares all candidates of a group.
type candidate struct {
	host    int32
	lead    int32   // see leading
	leading float64 // the first term of the cost that is not 0
	below   Q       // valid for requests with a value below this
	changed int64   // log number of the host's latest change at evaluation
	cost    int32   // offset of its cost tuple in the costs of the group
	terms   int32   // length of the tuple
}

func (g *group) costOf(o *candidate) []float64 { return g.costs[o.cost : o.cost+o.terms] }

// leading summarises a tuple: term is its first non-zero term, and lead is the number
// of terms from it to the end, with its sign. Tuples of equal length compare by lead
// first, then by term, then by the remaining terms.
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

// behind reports whether a is worse than b by their leading terms alone.
func (a *candidate) behind(b *candidate) bool {
	return a.lead < b.lead || a.lead == b.lead && a.leading < b.leading
}

// better reports whether candidate a of a group is preferred to b.
func (f *fast) better(g *group, a, b *candidate) bool {
	if a.lead != b.lead || a.leading != b.leading {
		return b.behind(a)
	}
	if a.lead > 1 || a.lead < -1 { // terms follow the leading one
		if order := slices.Compare(g.costOf(a), g.costOf(b)); order != 0 {
			return order > 0
		}
	}
	return f.scoresAbove(int(a.host), int(b.host))
}
