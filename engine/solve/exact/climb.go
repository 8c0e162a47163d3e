package exact

import "math"

const (
	firstLimit = 5e-5 // above the bound, in relation to it
	firstPart  = 16   // of what is between the bound and the best placement, if that is more
	tinyLimit  = 1e-6
	smallTree  = 500 // evaluations, below which the limit rises faster

	approachPatience = 20
)

// climb goes through the tree under a limit just above the bound of the whole, and where no
// placement is below that, again under one about twice as far away. Prices that are moved towards
// a near limit are better, and it leaves fewer clusters to jobs. A placement must be known.
func (m *minimizer) climb() {
	base := m.result.Bound
	above := max(firstLimit*base, tinyLimit, (m.result.Cost-base)/firstPart)
	if m.whole {
		above = max(above, 1)
	}
	for last := false; !last && !m.over; {
		m.limit = base + above
		if m.whole {
			m.limit = math.Floor(m.limit) + 1e-6
		}
		between := m.result.Cost - base
		if above > 0.75*between { // there are few between
			m.limit = math.Inf(1)
		}
		if above > between/4 {
			above *= 1.5
		} else {
			above *= 2
		}
		if m.limit <= m.result.Bound {
			continue
		}
		begun := m.rounds
		m.explore()
		last = m.result.Cost*(1-Rounding) <= m.limit
		if !m.over {
			m.bound(m.limit)
		}
		if m.rounds-begun < smallTree {
			above *= 2
		}
	}
}

// approach finds good prices for the whole problem: it moves them towards a limit, and brings
// the limit nearer when it turns out to be too far.
func (m *minimizer) approach() {
	scale := func() float64 { return max(m.result.Bound/100, m.result.Cost-m.result.Bound) }
	m.bound(m.evaluate())
	for away := float64(0.02*scale()) + tinyLimit; away > max(tinyLimit*m.result.Bound, scale()/1e3) && !m.over; {
		m.limit = m.result.Bound + away
		bound := m.relaxation.improve(rootEvaluations, m.enough(), approachPatience)
		switch risen := bound - m.result.Bound; {
		case bound >= m.result.Cost*(1-Rounding):
			return
		case bound >= m.limit:
			away *= 2
		case risen < away/10:
			away /= 4
		}
		m.bound(bound)
	}
}
