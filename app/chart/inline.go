package chart

import (
	"math"
	"strconv"

	"berth/app/ui"
)

// InlineBar is a bar for a cell of a table, as long as fraction says of one. It
// says nothing that the figure beside it does not, and is hidden from screen
// readers.
func InlineBar(fraction float64) ui.Markup {
	if math.IsNaN(fraction) {
		return ""
	}
	width := strconv.FormatFloat(100*max(0, min(1, fraction)), 'f', 1, 64)
	return ui.Markup(`<svg class="inline-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">` +
		`<rect width="` + width + `" height="8"/></svg>`)
}
