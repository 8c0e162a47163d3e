package lab

import (
	"html"
	"math"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// Pin is a result that stays on screen for comparison with later ones.
type Pin[I any] struct {
	Work[I]
	Report *scenario.Report

	difference *scenario.Difference // from the pinned result to the current one; nil while the pinned one is on screen
}

// comparison compares the result on screen with a pinned one.
type comparison[I Inputs[I]] struct {
	lab *Lab[I]
	pin *Pin[I] // nil if nothing is pinned
}

// Pinned is the report of the pinned result; nil if nothing is pinned or the pinned
// result is on screen.
func (c *comparison[I]) Pinned() *scenario.Report {
	if c.pin == nil || c.pin.difference == nil {
		return nil
	}
	return c.pin.Report
}

// Difference compares the pinned result with the one on screen; nil if nothing is
// pinned or the pinned result is on screen.
func (c *comparison[I]) Difference() *scenario.Difference {
	if c.pin == nil {
		return nil
	}
	return c.pin.difference
}

// Toggle pins the result on screen, or unpins the pinned one.
func (c *comparison[I]) Toggle() {
	switch {
	case c.pin != nil:
		c.pin = nil
		shell.Announce(c.lab.Page, "Unpinned.")
	case c.lab.Runs.shown != nil:
		c.pinShown()
		shell.Announce(c.lab.Page, "Pinned. Berth compares the next results with it.")
	}
	c.lab.Runs.refresh()
	c.lab.Address.Located()
}

func (c *comparison[I]) pinShown() {
	c.pin = &Pin[I]{Work: c.lab.Runs.shown.Work, Report: c.lab.Runs.shown.Report}
}

// compare makes b the batch on screen and compares it with the pinned result.
func (c *comparison[I]) compare(b *Batch[I]) {
	c.lab.Dials.flip(c.lab.Runs.shown, b)
	if c.lab.Runs.shown != b {
		c.lab.Runs.shown, c.lab.known = b, map[any]any{}
	}
	p := c.pin
	if p == nil {
		return
	}
	p.difference = nil
	if b.Report == p.Report {
		return
	}
	var err error
	if p.difference, err = scenario.Compare(p.Report, b.Report); err != nil {
		c.lab.Complain("The results could not be compared", err)
	}
}

// inputChanges describes how the inputs differ from the pinned ones; empty until a
// worker has answered.
func (c *comparison[I]) inputChanges() []string {
	p, after := c.pin, c.lab.Runs.shown.whole
	return Know(c.lab, [2]any{"changes", p}, func() ([]string, error) {
		pair := scenario.Pair{Before: p.Inputs.Input().Scenario, After: after}
		return bridge.AskTool(c.lab.Page, c.lab.Engine, scenario.ChangesQuestion, pair, nil)
	}).Answer
}

func changeRows(all []scenario.FigureChange) []ui.Row {
	rows := []ui.Row{}
	several := slices.ContainsFunc(all, func(c scenario.FigureChange) bool { return c.Subject != all[0].Subject })
	for i := range all {
		c := &all[i]
		if c.Before == c.After || c.OfBound {
			continue
		}
		change := ui.Figure(float64(c.After - c.Before))
		if change.Value > 0 {
			change.Text = "+" + change.Text
		}
		switch p := c.Change(); {
		case p == "":
		case c.Form == figure.Part:
			change.Text = p
		default:
			change.Text += " (" + p + ")"
		}
		what := ui.Text(ui.WithUnit(c.Title, c.Unit))
		if several { // otherwise the headline already names it
			what.After = ui.Markup("<small>" + html.EscapeString(c.Subject) + "</small>")
		}
		rows = append(rows, ui.Row{Class: judged(c), Cells: []ui.Cell{what, change, underHeading(c.Form, c.Before), underHeading(c.Form, c.After)}})
	}
	return rows
}

// underHeading is the cell for a figure in a column whose heading has the unit. Only fractions get
// their own unit, per cent.
func underHeading(form figure.Form, x figure.Number) ui.Cell {
	if form == figure.Part {
		return ui.InForm(form, x)
	}
	return ui.Figure(float64(x))
}

// judged is the style class for a better or worse figure; "" for neither.
func judged(c *scenario.FigureChange) string {
	if !c.Before.Defined() || !c.After.Defined() || c.Better == figure.Neither {
		return ""
	}
	if (c.After < c.Before) == (c.Better == figure.Less) {
		return "better"
	}
	return "worse"
}

func moveRows(d *scenario.Difference) []ui.Row {
	rows := []ui.Row{}
	for _, m := range d.Moved {
		rows = append(rows, ui.Row{Cells: []ui.Cell{ui.Text(m.Thing), ui.Text(placeName(m.From)), ui.Text(placeName(m.To)), ui.Text(m.Subject), ui.Text(m.Group)}})
	}
	return rows
}

func placeName(place string) string {
	if place == "" {
		return "not placed"
	}
	return place
}

func (c *comparison[I]) pinButton() app.UI {
	if c.lab.Runs.shown == nil {
		return ui.None()
	}
	label, title := "Pin", "Compare the next results with this one"
	if c.pin != nil {
		label, title = "Unpin", "Stop comparing with the pinned result"
	}
	return ui.Button("pin", label).Title(title).Aria("pressed", c.pin != nil).DataSet("testid", c.lab.id("pin")).
		OnClick(func(app.Context, app.Event) { c.Toggle() })
}

// panel describes the difference from the pinned result.
func (c *comparison[I]) panel() app.UI {
	p := c.pin
	if p == nil {
		return ui.None()
	}
	panel := app.Div().Class(c.lab.Form.Dimmed("difference")).DataSet("testid", c.lab.id("difference"))
	d := p.difference
	if d == nil {
		return panel.Body(app.P().Class("note").Body(ui.Icon("pin"), // a toast announces it
			app.Span().Text("Pinned. Change something to compare it with this result.")))
	}
	inputs := c.inputChanges()
	rows := Once(c.lab, [2]any{"changed", d}, func() []ui.Row { return changeRows(d.Metrics) })
	return panel.Body(
		app.P().Class("difference-head").Role("status").DataSet("testid", c.lab.id("difference-head")).Body(ui.Icon("pin"), app.Span().Text(d.Headline)),
		app.If(len(inputs) > 0, func() app.UI {
			return app.Ul().Class("hint").DataSet("testid", c.lab.id("difference-inputs")).Body(app.Range(inputs).Slice(func(i int) app.UI {
				return app.Li().Text(inputs[i])
			}))
		}),
		app.If(len(rows) > 0, func() app.UI {
			return &ui.Table{ID: c.lab.id("changes"), TestID: c.lab.id("changes"), Caption: "Against the pinned result", Rows: rows, Columns: []ui.Column{
				{Name: "figure", Prose: true}, {Name: "Δ", Title: "Now minus pinned", Numeric: true}, {Name: "pinned", Numeric: true}, {Name: "now", Numeric: true},
			}}
		}),
		app.If(len(d.Moved) > 0, func() app.UI {
			alike := func(of func(scenario.Move) string) bool {
				return !slices.ContainsFunc(d.Moved, func(m scenario.Move) bool { return of(m) != of(d.Moved[0]) })
			}
			return &ui.Table{ID: c.lab.id("moved"), TestID: c.lab.id("moved"), Caption: ui.Counted(len(d.Moved), "move"), Rows: Once(c.lab, [2]any{"moved", d}, func() []ui.Row { return moveRows(d) }), Columns: []ui.Column{
				{Name: "moved"}, {Name: "from"}, {Name: "to"},
				{Name: "under", Hidden: alike(func(m scenario.Move) string { return m.Subject })},
				{Name: "of", Hidden: alike(func(m scenario.Move) string { return m.Group })},
			}}
		}),
	)
}

// Delta formats how much a metric of a subject differs from the pinned result, as
// [DeltaOf] does; "" if there is nothing to compare.
func (c *comparison[I]) Delta(metric, subject string) string {
	if d := c.Difference(); d != nil {
		for i := range d.Metrics {
			if c := &d.Metrics[i]; c.Metric == metric && c.Subject == subject {
				return DeltaOf(c.Form, c.Before, c.After).Text
			}
		}
	}
	return ""
}

// NoDelta is the cell for an undefined difference.
var NoDelta = ui.Cell{Value: math.NaN()}

// DeltaOf is the cell for the difference of a figure from the pinned result: "+13 %", or "+3.2
// points" for fractions. It is [NoDelta] if either value is undefined. Tables sort it by after −
// before.
func DeltaOf(form figure.Form, before, after figure.Number) ui.Cell {
	if !before.Defined() || !after.Defined() {
		return NoDelta
	}
	c := scenario.FigureChange{Before: before, After: after}
	cell := ui.Cell{Text: c.Percent(), Title: "pinned: " + ui.Exact(float64(before)), Value: float64(after - before)}
	switch {
	case before == after:
		cell.Text = "same" // short, so that four such columns fit a phone
	case form == figure.Part:
		cell.Text = ui.Points(cell.Value)
	case cell.Text == "":
		cell.Text = "was " + ui.Number(float64(before))
	}
	return cell
}

// DeltaColumn is the column for [DeltaOf] cells of a figure.
func DeltaColumn(of string) ui.Column {
	return ui.Column{Name: "Δ " + of, Title: "Against the pinned result", Numeric: true}
}
