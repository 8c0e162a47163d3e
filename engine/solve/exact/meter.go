package exact

// perStep is the work of one step: about 200 ns natively, like a step of package improve.
const perStep = 400

// meter counts work in units of about half a nanosecond. All code whose time grows with the problem
// adds to it, so that a limit on steps limits the time.
type meter struct {
	budget int64       // in steps
	more   func() bool // called when the budget is used up, to ask for a larger one; may be nil
	work   int64
	over   bool // the search must end
}

func (m *meter) did(work int) { m.work += int64(work) }

// transfer copies prices.
func (m *meter) transfer(to, from [][]float64) {
	for i, of := range from {
		m.did(len(of) / 2)
		copy(to[i], of)
	}
}

func (m *meter) steps() int64 { return m.work / perStep }

// goOn returns false when the search must end.
func (m *meter) goOn() bool {
	if !m.over && m.steps() >= m.budget {
		m.over = m.more == nil || !m.more()
	}
	return !m.over
}
