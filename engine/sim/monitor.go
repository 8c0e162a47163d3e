package sim

import "context"

// Progress is the progress of a run.
type Progress[T Time] struct {
	Start, Now, End T   // simulated time; End ≤ Start: the end is not known
	Requests        int // requests up to now
	RequestsInAll   int // 0: unknown
	Events          int64
}

// Fraction returns the completed part of a run in [0, 1]: the smaller of its parts of time and
// requests. It ignores an unknown part, and returns 0 if both are unknown.
func (p Progress[T]) Fraction() float64 {
	fraction, known := 1.0, false
	if p.End > p.Start {
		fraction, known = min(fraction, float64(p.Now-p.Start)/float64(p.End-p.Start)), true
	}
	if p.RequestsInAll > 0 {
		fraction, known = min(fraction, float64(p.Requests)/float64(p.RequestsInAll)), true
	}
	if !known {
		return 0
	}
	return max(0, fraction)
}

// checkEvery is the amount of work between two checks of the context, in simple events. It takes
// about a millisecond.
const checkEvery = 1 << 12

// Monitor watches a run. It reads no clock: a caller that wants the rate in events per second has
// to measure the time itself.
type Monitor[T Time] struct {
	ctx    context.Context
	report func(Progress[T])
	left   int
}

// NewMonitor returns a monitor that stops the run when the context ends. It calls report, if not
// nil, about every millisecond of work.
func NewMonitor[T Time](ctx context.Context, report func(Progress[T])) *Monitor[T] {
	return &Monitor[T]{ctx: ctx, report: report, left: checkEvery}
}

// Due counts work, in simple events, and reports whether the caller should call [Monitor.Check]
// now.
func (m *Monitor[T]) Due(work int) bool {
	m.left -= work
	return m.left <= 0
}

// Check reports the progress and returns whether the run must stop.
func (m *Monitor[T]) Check(p Progress[T]) (stop bool) {
	m.left = checkEvery
	if m.report != nil {
		m.report(p)
	}
	return m.ctx.Err() != nil
}
