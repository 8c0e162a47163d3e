package exact

// perStep is the work of a step: about 200 ns natively, as a step of package solve.
const perStep = 400

// meter counts work in units of about a nanosecond. Everything whose time grows with the problem
// adds to it, so that a number of steps bounds the time.
type meter struct {
	budget int64       // in steps
	more   func() bool // asked for a larger budget when it is used up, nil for none
	work   int64
	over   bool // the search has to end
}

func (m *meter) did(work int) { m.work += int64(work) }

func (m *meter) steps() int64 { return m.work / perStep }

// goOn returns false when the search must end.
func (m *meter) goOn() bool {
	if !m.over && m.steps() >= m.budget {
		m.over = m.more == nil || !m.more()
	}
	return !m.over
}
