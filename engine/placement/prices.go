package placement

import (
	"context"
	"sort"

	"berth/engine/solve"
)

// Price is the saving from one more unit of a resource on a cluster: a shadow price of the bound,
// which is valid for small changes. It ignores latencies and bandwidths.
type Price struct {
	Cluster  string // DOT id
	Resource string
	Price    float64 // cost per unit
}

// priceSteps limits the subgradient steps when prices are reported.
const priceSteps = 500

// Prices returns the capacities with a positive price, highest first; none if the clusters have no
// prices.
func (p *Problem) Prices(ctx context.Context) []Price {
	if !p.Priced() {
		return []Price{}
	}
	b := solve.NewBounder(p.Assignment())
	for range priceSteps {
		if b.Settled() || ctx.Err() != nil {
			break
		}
		b.Step()
	}
	prices := []Price{}
	for r := range p.demands {
		for j := range p.capacity.federation.Clusters().Len() {
			if price := b.Price(j, r) * partsPerUnit; price > tiny {
				prices = append(prices, Price{p.capacity.federation.Clusters().ID(j), p.demands[r].supply.Name, price})
			}
		}
	}
	sort.SliceStable(prices, func(i, j int) bool { return prices[j].Price < prices[i].Price })
	return prices
}
