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

// charts draws the engine's charts of an experiment.
func charts(x *exhibit) app.UI {
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

// drawing draws one chart of the engine.
func drawing(id string, c *gallery.Chart) app.UI {
	id = fmt.Sprintf("chart-%s-%s", id, c.Name)
	title := c.Title
	if len(paperPoints(c)) > 0 {
		title += " (◇ the paper’s number)"
	}
	if c.Along != "" {
		return &chart.Chart{ID: id, Title: title, Empty: noFigure,
			Of: chart.Lines{XLabel: c.Along, YLabel: ui.WithUnit(c.Title, c.Unit), Series: seriesOf(c), Published: paperPoints(c)}}
	}
	if c.Across != "" {
		return app.Figure().ID(id).Class("winners").Body(app.FigCaption().Text(ui.WithUnit(title, c.Unit)), tableOf(c))
	}
	bars := chart.Bars{Unit: c.Unit}
	for _, m := range c.Marks {
		bars.Items = append(bars.Items, chart.Bar{Label: m.Label, Value: m.Value, Low: m.Low, High: m.High, Style: styleOf(&m), Paper: m.Paper})
	}
	return &chart.Chart{ID: id, Title: title, Empty: noFigure, Of: bars}
}

// tableOf draws a table with a row for each mark: the subject's name and colour, and the mark's
// value.
func tableOf(c *gallery.Chart) app.UI {
	var rows, columns []string
	for _, m := range c.Marks {
		if !slices.Contains(rows, m.Row) {
			rows = append(rows, m.Row)
		}
		if !slices.Contains(columns, m.Column) {
			columns = append(columns, m.Column)
		}
	}
	head := []app.UI{app.Th().Scope("col").Text(c.Across)}
	for _, column := range columns {
		head = append(head, app.Th().Scope("col").Text(column))
	}
	var body []app.UI
	for _, row := range rows {
		cells := []app.UI{app.Th().Scope("row").Text(row)}
		for _, column := range columns {
			cell := app.Td()
			if i := slices.IndexFunc(c.Marks, func(m gallery.Mark) bool { return m.Row == row && m.Column == column }); i >= 0 {
				m := &c.Marks[i]
				cell = cell.Style("--of", styleOf(m).Color()).Body(app.Text(m.Subject+" "), app.Small().Text(ui.Number(m.Value)))
			}
			cells = append(cells, cell)
		}
		body = append(body, app.Tr().Body(cells...))
	}
	return scrolled(app.Table().Class("winners-table").Body(app.THead().Body(app.Tr().Body(head...)), app.TBody().Body(body...)))
}

// styleOf gives all bars of one subject the same look.
func styleOf(m *gallery.Mark) chart.Style {
	if m.Subject == "" {
		return chart.StyleAt(0)
	}
	return chart.StyleOf(m.Subject, m.Place)
}

// seriesOf converts the marks of a chart into curves, one per label.
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
			all = append(all, chart.At(m.X, *m.Paper))
		}
	}
	return all
}
