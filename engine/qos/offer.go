package qos

// offer is a host that can take a request if instances leave it.
type offer struct {
	host, rank int32
	changed    int64 // which change of the host it takes into account
	below      Q     // it stands for requests with a Q below this
	score      float64
	cost       []float64
	lead       int     // see leading
	leading    float64 // the first term of the cost that is not 0
}

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

func (o *offer) better(p *offer) bool {
	if o.lead != p.lead {
		return o.lead > p.lead
	}
	if o.leading != p.leading {
		return o.leading > p.leading
	}
	return o.betterInDetail(p)
}

// betterInDetail is better where the leading terms are equal.
func (o *offer) betterInDetail(p *offer) bool {
	for i, cost := range o.cost {
		if cost != p.cost[i] {
			return cost > p.cost[i]
		}
	}
	if o.score != p.score {
		return o.score > p.score
	}
	return o.rank < p.rank
}
