package qos

// offer is a host that can take a request if instances leave it.
type offer struct {
	host, rank int32
	changed    int64 // which change of the host it takes into account
	below      Q     // it stands for requests with a Q below this
	score      float64
	cost       []float64
}

func (o *offer) better(p *offer) bool {
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
