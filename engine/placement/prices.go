package placement

import "context"

// Price is what one more unit of a resource on a cluster would save, to a first
// approximation: the multiplier of the capacity in the linear relaxation without
// links.
type Price struct {
	Cluster  string  `json:"cluster"` // DOT id
	Resource string  `json:"resource"`
	Unit     string  `json:"unit,omitempty"`
	Price    float64 `json:"price"`
}

// Prices returns the capacities that bind, the dearest first.
func (p *Problem) Prices(ctx context.Context) []Price {
	return nil
}
