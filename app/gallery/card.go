package gallery

import (
	"fmt"
	"html"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/ui"
	"berth/engine/gallery"
	"berth/engine/show"
)

// mostRowsOfACard limits the bars of a card.
const mostRowsOfACard = 8

// picture draws the figure of a card from the runs on this machine or, before the first run, from
// the record.
func (v *View) picture(e *gallery.Entry) app.UI {
	c, of := v.pictured(e)
	if c == nil {
		return app.P().Class("card-empty").Text("Run it to see its chart.")
	}
	link := e.ID
	if x := v.shown[e.ID]; x != nil {
		link = x.fragment()
	}
	parts := []app.UI{app.FigCaption().Body(app.A().Href("#" + link).Text(ui.WithUnit(c.Title, c.Unit) + ", " + of))}
	switch {
	case c.Along != "":
		parts = append(parts, curvesOf(c))
	case c.Across != "":
		parts = append(parts, tableOf(c))
	default:
		parts = append(parts, barsOf(c))
	}
	if len(paperPoints(c)) > 0 {
		parts = append(parts, app.Small().Class("card-key").Text("■ the paper’s number"))
	}
	return app.Figure().Class("card-figure").Body(parts...)
}

// pictured returns the chart of a card and a description of the source of its data.
func (v *View) pictured(e *gallery.Entry) (c *gallery.Chart, of string) {
	if x := v.shown[e.ID]; x != nil && x.chart != nil {
		return x.chart, "runs on this machine"
	}
	if full := v.full[e.ID]; full != nil {
		_, about := full.Own()
		return full.Chart, "recorded " + about
	}
	return nil, ""
}

// extent returns the range of a chart's axis. The range covers the marks, their
// intervals, the paper's numbers, and zero.
func extent(c *gallery.Chart) (low, high float64) {
	for _, m := range c.Marks {
		low, high = min(low, m.Value, m.Low), max(high, m.Value, m.High)
		if m.Paper != nil {
			low, high = min(low, *m.Paper), max(high, *m.Paper)
		}
	}
	if high == low {
		high = low + 1
	}
	return low, high
}

// barsOf draws one row per bar, with its interval and the paper's number. If there are too many
// bars, bars with a number of the paper take precedence.
func barsOf(c *gallery.Chart) app.UI {
	low, high := extent(c)
	at := func(v float64) float64 { return 1 + 98*(v-low)/(high-low) }
	marks := c.Marks
	if left := len(marks) - mostRowsOfACard; left > 0 {
		marks = slices.Clone(marks)
		sort.SliceStable(marks, func(i, j int) bool { return published(marks[j]) < published(marks[i]) })
		marks = marks[:mostRowsOfACard]
	}
	var b strings.Builder
	b.WriteString(`<ul class="card-bars">`)
	for i := range marks {
		m := &marks[i]
		fmt.Fprintf(&b, `<li><span>%s</span><svg viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">`, html.EscapeString(show.Words(m.Label)))
		fmt.Fprintf(&b, `<rect x="%.1f" y="3" width="%.1f" height="10" fill="%s"/>`, min(at(0), at(m.Value)), math.Abs(at(m.Value)-at(0)), styleOf(m).Color())
		if m.High > m.Low {
			fmt.Fprintf(&b, `<path class="span" d="M%.1f 8H%.1f"/>`, at(m.Low), at(m.High))
		}
		if m.Paper != nil {
			fmt.Fprintf(&b, `<path class="paper" d="M%.1f 8h0"/>`, at(*m.Paper))
		}
		fmt.Fprintf(&b, `</svg><span class="figures">%s</span></li>`, ui.Number(m.Value))
	}
	b.WriteString("</ul>")
	list := app.Raw(b.String())
	if left := len(c.Marks) - len(marks); left > 0 {
		return app.Div().Body(list, app.Small().Text(ui.Counted(left, "more bar")+" when it is open"))
	}
	return list
}

func published(m gallery.Mark) int {
	if m.Paper != nil {
		return 1
	}
	return 0
}

// curvesOf draws curves with their intervals and the paper's numbers.
func curvesOf(c *gallery.Chart) app.UI {
	low, high := extent(c)
	left, right := math.Inf(1), math.Inf(-1)
	for _, m := range c.Marks {
		left, right = min(left, m.X), max(right, m.X)
	}
	if right == left {
		right = left + 1
	}
	x := func(v float64) float64 { return 2 + 96*(v-left)/(right-left) }
	y := func(v float64) float64 { return 96 - 92*(v-low)/(high-low) }
	var b strings.Builder
	b.WriteString(`<svg class="card-curves" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">`)
	for _, p := range paperPoints(c) {
		fmt.Fprintf(&b, `<path class="paper" d="M%.1f %.1fh0"/>`, x(p.X), y(p.Y))
	}
	series := seriesOf(c)
	for _, s := range series {
		fmt.Fprintf(&b, `<g stroke="%s">`, s.Style.Color())
		var line strings.Builder
		for i, p := range s.Points {
			fmt.Fprintf(&line, "%c%.1f %.1f", "ML"[min(i, 1)], x(p.X), y(p.Y))
			if p.High > p.Low {
				fmt.Fprintf(&b, `<path d="M%.1f %.1fV%.1f"/>`, x(p.X), y(p.Low), y(p.High))
			}
			fmt.Fprintf(&b, `<path class="point" d="M%.1f %.1fh0"/>`, x(p.X), y(p.Y))
		}
		fmt.Fprintf(&b, `<path d="%s"/></g>`, line.String())
	}
	b.WriteString("</svg>")
	return app.Div().Body(
		app.Small().Text(ui.Number(low)+" to "+ui.Number(high)), app.Raw(b.String()),
		app.Small().Text(c.Along+" "+ui.Number(left)+" to "+ui.Number(right)), keyOf(series))
}

// keyOf draws the legend of several curves; empty for a single one.
func keyOf(series []chart.Series) app.UI {
	if len(series) < 2 {
		return app.Span()
	}
	return app.Small().Class("card-key").Body(app.Range(series).Slice(func(i int) app.UI {
		return app.Span().Body(app.I().Style("background", series[i].Style.Color()), app.Span().Text(series[i].Name))
	}))
}
