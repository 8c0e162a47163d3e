package exact

import "math"

const (
	firstLimit = 5e-5 // first distance of the limit above the bound, relative to the bound
	firstPart  = 16   // or 1/firstPart of the gap between bound and best placement, if that is more
	tinyLimit  = 1e-6
	smallTree  = 500 // a pass with fewer evaluations raises the limit faster

	approachPatience = 20
)

// climb searches the tree under a limit just above the bound. If no placement costs less than the
// limit, it searches again under a limit about twice as far away. A near limit removes more
// clusters from jobs, and prices fitted to it are better. A placement must be known.
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
		if above > 0.75*between { // the gap above the limit would be negligible
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

// approach finds good prices for the whole problem: it optimizes them towards a limit above the
// bound, and lowers the limit when it turns out to be too far.
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
