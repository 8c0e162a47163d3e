package chart

import (
	"math"
	"strconv"

	"berth/app/ui"
)

// InlineBar returns a bar for a table cell. fraction is the length of the bar as a part
// of the cell's width. Screen readers skip the bar, because the figure next to it says
// the same.
func InlineBar(fraction float64) ui.Markup {
	if math.IsNaN(fraction) {
		return ""
	}
	width := strconv.FormatFloat(100*max(0, min(1, fraction)), 'f', 1, 64)
	return ui.Markup(`<svg class="inline-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">` +
		`<rect width="` + width + `" height="8"/></svg>`)
}
