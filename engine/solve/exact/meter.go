package exact

import (
	"context"
)

// perStep is the work of a step: about 200 ns natively, as a step of package solve.
const perStep = 400

// betweenLooks is the number of steps between two reports of progress, at which a search may be
// cancelled.
const betweenLooks = 2000

// meter counts work in units of about a nanosecond. Everything whose time grows with the problem
// adds to it, so that a number of steps bounds the time.
type meter struct {
	ctx    context.Context
	budget int64             // in steps
	more   func(*meter) bool // asked for a larger budget where that is used up, nil for none
	look   func()            // after betweenLooks steps, nil for nothing
	work   int64
	seen   int64 // steps at the last question whether to go on
	told   int64 // steps at the last look
	over   bool  // the search has to end
}

func (m *meter) did(work int) { m.work += int64(work) }

func (m *meter) steps() int64 { return m.work / perStep }

// goOn returns false when the search must end. Only the first call in a step can end it, so a
// search stopped after n steps has done the same as one with n steps.
func (m *meter) goOn() bool {
	now := m.steps()
	if m.over || now == m.seen {
		return !m.over
	}
	m.seen = now
	if now-m.told >= betweenLooks {
		m.told = now
		if m.look != nil {
			m.look()
		}
		m.over = m.ctx.Err() != nil
	}
	if !m.over && now >= m.budget {
		m.over = m.more == nil || !m.more(m)
	}
	return !m.over
}
