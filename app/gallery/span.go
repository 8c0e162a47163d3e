package gallery

import (
	"fmt"
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/study"
)

// span is the range of a metric's means and their intervals, over all cells.
type span struct{ low, high float64 }

func spansOf(r *study.Report) []span {
	all := make([]span, len(r.Metrics))
	for k, m := range r.Metrics {
		s := span{math.Inf(1), math.Inf(-1)}
		for i := range r.Cells {
			if low, high, ok := interval(r.Cells[i].Of(m.Name)); ok {
				s.low, s.high = min(s.low, low), max(s.high, high)
			}
		}
		all[k] = s
	}
	return all
}

func interval(a study.Aggregate) (low, high float64, ok bool) {
	low, high = a.Interval()
	return low, high, a.Mean.Defined()
}

// draw draws a mean as a dot and its interval as a line, on the scale of all cells. Screen readers
// skip it, because the table has the figures.
func (s span) draw(a study.Aggregate) app.UI {
	low, high, ok := interval(a)
	if !ok || !(s.high > s.low) {
		return app.Text("")
	}
	const width = 96.0
	at := func(v float64) float64 { return 4 + (width-8)*(v-s.low)/(s.high-s.low) }
	return app.Raw(fmt.Sprintf(`<svg class="interval" viewBox="0 0 %.0f 12" aria-hidden="true"><path d="M%.1f 6H%.1f"/><circle cx="%.1f" cy="6" r="3"/></svg>`,
		width, at(low), at(high), at(float64(a.Mean))))
}
