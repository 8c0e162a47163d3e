package placementkind

import (
	"fmt"

	"berth/engine/show"
)

// Certainty is what is known of a cost: a bound that no placement falls below, and
// whether the cost is proved to be the lowest. Page and command line have its words
// from here.
type Certainty struct {
	Total, Bound float64
	Proved       bool
	Deployments  int // whose bounds are added up, each given the deployments before it
}

// String says how far the cost may be from the lowest one.
func (c Certainty) String() string {
	each := ""
	if c.Deployments > 1 {
		each = " for each deployment, given those before it"
	}
	switch {
	case c.Proved:
		return "proved optimal" + each
	case c.Bound > 0:
		return fmt.Sprintf("lower bound %s, at most %s above the cheapest possible%s", Money(c.Bound), c.Gap(), each)
	}
	return "lower bound " + Money(c.Bound)
}

// noGap is what rounding may amount to, as a part of the bound.
const noGap = 0.00005

// Gap writes how far the cost is above the bound, in per cent of it; "–" above a bound
// of 0, which has no per cent.
func (c Certainty) Gap() string {
	gap := 0.0
	switch above := c.Total - c.Bound; {
	case above <= noGap*c.Bound:
	case c.Bound <= 0:
		return "–"
	default:
		gap = 100 * above / c.Bound
	}
	return show.Figure(gap) + "\u202f%"
}
