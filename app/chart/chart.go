package chart

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/input/csv"
	"berth/engine/scenario"
)

// tableCells is the largest number of cells in a table beside a chart. Longer tables are only in
// the CSV file.
const tableCells = 4000

// arrivingCells is the largest number of cells in a page that arrives with its result. It is low
// because everyone has to load that table, but only people without scripts see it.
const arrivingCells = 1000

// Chart is a frame around a drawing of figures, with a table of them and downloads. It is redrawn
// when Title or Of changes.
type Chart struct {
	app.Compo

	ID      string // also the data-testid
	Title   string
	Empty   string  // message for a chart without figures
	Waiting bool    // the figures are not computed yet: the old drawing stays, or its room is reserved
	Of      Figures // callers must not change its slices in place

	OnPick func(ctx app.Context, p Pick) // nil: nothing can be picked

	ready   bool // the scripts are loaded
	chart   app.Value
	of      string // ID that chart was drawn for
	drawn   [2]any // title and figures
	problem string
	open    bool
}

// Figures is the content of a chart, such as [Lines] or [Bars].
type Figures interface{ plot() plot }

// plot is the content of a chart, prepared for the script and for the table.
type plot struct {
	more   map[string]any // further properties for the script
	header []string
	rows   func(add addRow) // all figures, for the CSV file and the table
	cells  int              // number of figures, which is quicker to find than the rows
	height string           // of the drawing, as CSS; "" if it is unknown
}

// addRow adds a row of texts and figures to a table. NaN and nil are empty fields.
type addRow func(fields ...any)

// records returns the rows as texts, with all digits of the figures.
func (p *plot) records() (all [][]string) {
	p.rows(func(fields ...any) {
		all = append(all, column(fields, exact))
	})
	return all
}

func exact(field any) string {
	switch x := field.(type) {
	case int:
		return ui.Exact(float64(x))
	case float64:
		if !math.IsNaN(x) {
			return ui.Exact(x)
		}
	case *float64:
		if x != nil {
			return ui.Exact(*x)
		}
	case string:
		return x
	}
	return ""
}

// OnMount draws the chart when its libraries are loaded.
func (c *Chart) OnMount(ctx app.Context) {
	berth := app.Window().Get("berth")
	ui.Await(berth.Call("charts"),
		func(app.Value) {
			ctx.Dispatch(func(app.Context) {
				c.ready = true
				c.draw()
			})
		},
		func(reason app.Value) {
			text := reason.Call("toString").String()
			ctx.Dispatch(func(app.Context) { c.problem = text })
		})
}

// OnUpdate draws the new figures. If the chart replaces another one, it is drawn after the update,
// when its element has its ID.
func (c *Chart) OnUpdate(ctx app.Context) {
	if c.of == c.ID {
		c.draw()
		return
	}
	ctx.Dispatch(func(app.Context) { c.draw() })
}

// OnDismount removes the listeners of the drawing.
func (c *Chart) OnDismount() {
	c.ready = false
	c.leave()
}

func (c *Chart) leave() {
	if c.chart != nil {
		c.chart.Call("destroy")
		c.chart = nil
	}
}

// draw passes the figures to the script if they have changed, so that an update of the page does
// not disturb a chart that is playing or pointed at. Comparing two identical slices takes constant
// time.
func (c *Chart) draw() {
	if c.of != c.ID { // this chart replaces another one
		c.leave()
		c.of, c.open = c.ID, false
	}
	now := [2]any{c.Title, c.Of}
	if !c.ready || c.chart != nil && reflect.DeepEqual(now, c.drawn) {
		return
	}
	plot := c.Of.plot()
	if plot.cells == 0 {
		return
	}
	c.drawn = now
	spec := object(reflect.ValueOf(c.Of), 0)
	spec["title"] = c.Title
	maps.Copy(spec, plot.more)
	if c.chart != nil {
		c.chart.Call("update", script(spec))
		return
	}
	host := app.Window().GetElementByID(c.ID)
	c.chart = app.Window().Get("berth").Get("chart").Call(c.kind(), host, script(spec))
	host.Set("drawn", c.chart)
}

// Picture is a drawing for a page that runs no script.
type Picture struct{ Title, SVG string }

// OnScreen returns the charts of the current view that are visible.
func OnScreen() (all []Picture) {
	charts := app.Window().Get("document").Call("querySelectorAll", ".view:not([hidden]) .chart-field")
	for i := range charts.Length() {
		field := charts.Index(i)
		if drawn := field.Get("drawn"); drawn.Truthy() && field.Call("checkVisibility").Bool() {
			title := field.Get("parentElement").Call("querySelector", "figcaption span").Get("textContent").String()
			all = append(all, Picture{title, drawn.Call("svg").String()})
		}
	}
	return all
}

// kind returns the name of the drawing function in berth.chart: the type of the figures
// in lower case.
func (c *Chart) kind() string { return strings.ToLower(reflect.TypeOf(c.Of).Name()) }

// Render draws the frame; the script fills it.
func (c *Chart) Render() app.UI {
	p := c.Of.plot()
	waits, empty := c.Waiting && p.cells == 0, p.cells == 0
	class := "chart chart-" + c.kind()
	if waits {
		class += " dimmed"
	}
	table := app.Details().Hidden(empty && !waits).On("toggle", func(ctx app.Context, _ app.Event) { c.open = ctx.JSSrc().Get("open").Bool() })
	if c.open {
		table.Open(true)
	}
	return app.Figure().Class(class).Aria("busy", waits).DataSet("testid", c.ID).Body(
		app.FigCaption().Body(
			app.Span().Text(c.Title),
			ui.Button("download", "CSV").Disabled(empty).OnClick(c.saveCSV),
			ui.Button("download", "SVG").Disabled(empty).OnClick(c.saveSVG),
		),
		c.field(p).Hidden(empty && !waits),
		app.Div().Body(c.notes(empty, waits)...), // always one element, so that go-app keeps its siblings
		table.Body(
			app.Summary().Text("As a table"),
			app.If(c.open || app.IsServer, func() app.UI { return c.table(p) }), // pages without scripts cannot open it
		),
	)
}

// field draws the element that the script fills with the drawing.
func (c *Chart) field(p plot) app.HTMLDiv {
	field := app.Div().ID(c.ID).Class("chart-field").On("berth:pick", c.pick)
	if p.height != "" {
		field.Style("min-height", p.height)
	}
	return field
}

// notes returns the messages that replace a drawing.
func (c *Chart) notes(empty, waits bool) []app.UI {
	return []app.UI{
		app.If(empty && !waits, func() app.UI {
			return app.P().Class("chart-empty").Text(cmp.Or(c.Empty, "There is nothing to draw yet."))
		}),
		app.If(waits && c.chart == nil, func() app.UI {
			return app.P().Class("chart-waiting").Text(c.Empty)
		}),
		app.If(c.problem != "", func() app.UI {
			return ui.Problem("The chart could not be drawn (" + c.problem + "); the table has its figures.")
		}),
	}
}

func (c *Chart) pick(ctx app.Context, e app.Event) {
	if c.OnPick == nil {
		ctx.PreventUpdate()
		return
	}
	detail := e.Get("detail")
	c.OnPick(ctx, Pick{Event: detail.Get("event").Bool(), ID: detail.Get("id").Int()})
}

func (c *Chart) table(p plot) app.UI {
	if p.cells > tableCells || app.IsServer && p.cells > arrivingCells {
		return app.P().Text("With " + ui.Count(int64(p.cells)) + " figures this table would be too long to read; save the CSV file to get them all.")
	}
	columns := make([]ui.Column, len(p.header))
	for i, name := range p.header {
		columns[i] = ui.Column{Name: name}
	}
	records := p.records()
	rows := make([]ui.Row, len(records))
	for i, record := range records {
		for j, field := range record {
			// The first column holds names, even if they look like numbers.
			value, err := strconv.ParseFloat(field, 64)
			if err != nil || j == 0 {
				rows[i].Cells = append(rows[i].Cells, ui.Text(field))
				continue
			}
			columns[j].Numeric = true
			rows[i].Cells = append(rows[i].Cells, ui.Figure(value))
		}
	}
	return &ui.Table{ID: c.ID + "-table", Caption: c.Title, Columns: columns, Rows: rows}
}

func (c *Chart) saveCSV(app.Context, app.Event) {
	p := c.Of.plot()
	ui.Download(c.ID+".csv", "text/csv", csv.Table(append([][]string{p.header}, p.records()...)))
}

func (c *Chart) saveSVG(app.Context, app.Event) {
	if c.chart != nil {
		svg, link := c.chart.Call("svg").String(), ""
		if view := app.Window().GetElementByID(c.ID).Call("closest", "[data-link]"); view.Truthy() {
			link = view.Get("dataset").Get("link").String()
		}
		ui.Download(c.ID+".svg", "image/svg+xml", []byte(scenario.CarryInSVG(svg, link)))
	}
}
