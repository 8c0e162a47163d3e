package qos

import "slices"

// candidate is a host that can take a request after preempting instances. The struct
// is small because each decision compares all candidates of a group.
type candidate struct {
	host    int32
	below   Q     // valid for requests with a value below this
	changed int64 // log number of the host's latest change at evaluation
	cost    int32 // offset of its cost tuple in the costs of the group
	terms   int32 // length of the tuple
}

func (g *group) costOf(o *candidate) []float64 { return g.costs[o.cost : o.cost+o.terms] }

// better reports whether candidate a of a group is preferred to b.
func (f *fast) better(g *group, a, b *candidate) bool {
	if order := slices.Compare(g.costOf(a), g.costOf(b)); order != 0 {
		return order > 0
	}
	return f.scoresAbove(int(a.host), int(b.host))
}
