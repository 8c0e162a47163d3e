package sim

import "context"

// Progress is how far a run has come.
type Progress[T Time] struct {
	Start, Now, End T   // simulated time; End is at most Start while it is not known
	Requests        int // requests seen so far
	RequestsInAll   int // 0 if the source does not say
	Events          int64
}

// Fraction returns the completed part of a run in [0, 1]: the smaller of the
// parts of time and of requests, as far as they are known.
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

// checkEvery is how much work passes between two looks at the context: that of
// so many simple events, about a millisecond.
const checkEvery = 1 << 12

// Monitor watches a run. The rate in events per second is for the caller of a
// report to compute: there is no clock here.
type Monitor[T Time] struct {
	ctx    context.Context
	report func(Progress[T])
	left   int
}

// NewMonitor returns a monitor that stops with the context and calls report,
// if it is not nil, every millisecond or so of work.
func NewMonitor[T Time](ctx context.Context, report func(Progress[T])) *Monitor[T] {
	return &Monitor[T]{ctx: ctx, report: report, left: checkEvery}
}

// Due counts work, in simple events, and says whether it is time to call
// [Monitor.Check].
func (m *Monitor[T]) Due(work int) bool {
	m.left -= work
	return m.left <= 0
}

// Check reports progress and says whether the run must stop.
func (m *Monitor[T]) Check(p Progress[T]) (stop bool) {
	m.left = checkEvery
	if m.report != nil {
		m.report(p)
	}
	return m.ctx.Err() != nil
}
