package gallery

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/ui"
	"berth/engine/gallery"
	"berth/engine/study"
)

// charts are what the engine has to draw of an experiment.
func (v *View) charts(x *exhibit) app.UI {
	r := x.result
	if r == nil {
		return app.Div()
	}
	entry := x.entry
	if entry == nil {
		entry = gallery.Own(r)
	}
	all, left := entry.Charts(study.Of(x.experiment), r)
	if len(all) == 0 {
		return app.Div()
	}
	var drawn []app.UI
	for i := range all {
		drawn = append(drawn, drawing(x.id, &all[i]))
	}
	more := ""
	if left > 0 {
		more = ui.Counted(left, "more metric") + " in the table."
	}
	return app.Div().Class("sweep-charts").DataSet("testid", "sweep-charts").Body(append(drawn, app.Small().Text(more))...)
}

const noFigure = "No run has this figure."

// drawing is a chart of the engine as the page draws it.
func drawing(id string, c *gallery.Chart) app.UI {
	id = fmt.Sprintf("chart-%s-%s", id, c.Name)
	title := c.Title
	if len(paperPoints(c)) > 0 {
		title += " (◇ the paper’s number)"
	}
	if c.Along != "" {
		return &chart.Lines{
			ID: id, Title: title, XLabel: c.Along, YLabel: ui.WithUnit(c.Title, c.Unit), Empty: noFigure, Series: seriesOf(c), Published: paperPoints(c),
		}
	}
	bars := &chart.Bars{ID: id, Title: title, Unit: c.Unit, Empty: noFigure}
	for _, m := range c.Marks {
		bars.Items = append(bars.Items, chart.Bar{Label: m.Label, Value: m.Value, Low: m.Low, High: m.High, Style: styleOf(&m), Paper: m.Paper})
	}
	return bars
}

// styleOf gives the bars of one subject the same look.
func styleOf(m *gallery.Mark) chart.Style {
	if m.Subject == "" {
		return chart.StyleAt(0)
	}
	return chart.StyleOf(m.Subject, m.Place)
}

// seriesOf are the curves of a chart.
func seriesOf(c *gallery.Chart) (all []chart.Series) {
	for _, m := range c.Marks {
		i := slices.IndexFunc(all, func(s chart.Series) bool { return s.Name == m.Label })
		if i < 0 {
			i = len(all)
			all = append(all, chart.Series{Name: m.Label, Style: chart.StyleAt(i)})
		}
		all[i].Points = append(all[i].Points, chart.Point{X: m.X, Y: m.Value, Low: m.Low, High: m.High})
	}
	return all
}

func paperPoints(c *gallery.Chart) (all []chart.Point) {
	for _, m := range c.Marks {
		if m.Paper != nil {
			all = append(all, chart.Point{X: m.X, Y: *m.Paper, Low: *m.Paper, High: *m.Paper})
		}
	}
	return all
}
