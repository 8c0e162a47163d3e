package chart

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// The functions below return heights of drawings as CSS, where 100cqi is the width, so that the
// page reserves the room before the scripts have loaded and nothing moves when they draw. They must
// match the scripts. They do not cover drawings whose height depends on more than their figures,
// such as a timeline with its lanes.

// wideHeight returns the height of a chart with a numeric horizontal axis.
func wideHeight(legend []string) string {
	return "calc(clamp(200px, 60cqi, 360px)" + legendHeight(legend) + ")"
}

// rowsHeight returns the height of a chart whose rows are each pixels high.
func rowsHeight(rows, each int, legend []string) string {
	return fmt.Sprintf("calc(%dpx%s)", rows*each+48, legendHeight(legend))
}

// legendHeight returns the height of a legend, which needs another line wherever the chart is too
// narrow: each term is 0 or one line.
func legendHeight(names []string) string {
	if len(names) < 2 {
		return ""
	}
	spaces := make([]float64, len(names))
	for i, name := range names {
		spaces[i] = 32 + textWidth(name) + 16
	}
	var b strings.Builder
	b.WriteString(" + 26px")
	for most := 1; most < len(names); most++ {
		fmt.Fprintf(&b, " + clamp(0px, (%.1fpx - 100cqi) * 999, 18px)", widthForLines(spaces, most))
	}
	return b.String()
}

// widthForLines returns the smallest width at which the entries fit on most lines. It is the length
// of the longest line in some way to break them.
func widthForLines(spaces []float64, most int) float64 {
	least := 0.0
	for from := range spaces {
		sum := 0.0
		for _, space := range spaces[from:] {
			sum += space
			if linesAt(spaces, sum) <= most && (least == 0 || sum < least) {
				least = sum
			}
		}
	}
	return least
}

func linesAt(spaces []float64, width float64) int {
	lines, x := 1, 0.0
	for _, space := range spaces {
		if x > 0 && x+space > width {
			lines, x = lines+1, 0
		}
		x += space
	}
	return lines
}

// textWidth returns the width of a text of 12 px in the font of the drawings; without a browser it
// estimates it.
func textWidth(text string) float64 {
	if app.IsServer {
		return 6.5 * float64(utf8.RuneCountInString(text))
	}
	return pen().Call("measureText", text).Get("width").Float()
}

var pen = sync.OnceValue(func() app.Value {
	pen := app.Window().Get("document").Call("createElement", "canvas").Call("getContext", "2d")
	pen.Set("font", "12px system-ui, sans-serif")
	return pen
})
