package chart

import (
	"cmp"
	"reflect"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/csv"
)

// tableCells is the highest number of cells of the table beside a chart. Longer tables are only in
// the CSV file.
const tableCells = 4000

// arrivingCells is the highest number of cells in a page that arrives with its result. It is low
// because only people without scripts see that table, but everyone has to load it.
const arrivingCells = 1000

// plate is the common part of all charts: the frame around the drawing, the table beside it, and
// the downloads.
type plate struct {
	app.Compo

	ID      string
	TestID  string
	Title   string
	Empty   string       // message for a chart without figures
	Of      app.Composer // the chart inside the frame
	Draw    string       // name of the drawing function in berth.chart
	Spec    func() map[string]any
	Header  []string
	Rows    func() [][]string // all figures, for the CSV file and the table
	Cells   int
	Height  string // of the drawing, as CSS; "" if it is unknown
	Waiting bool   // the figures are still being computed: the old drawing stays, or its room is reserved
	OnPick  func(ctx app.Context, detail app.Value)

	ready   bool // the scripts are loaded
	chart   app.Value
	drawn   []any
	problem string
	open    bool
}

// OnMount draws the chart when its libraries are loaded.
func (p *plate) OnMount(ctx app.Context) {
	berth := app.Window().Get("berth")
	ui.Await(berth.Call("charts"),
		func(app.Value) {
			ctx.Dispatch(func(app.Context) {
				p.ready = true
				p.draw()
			})
		},
		func(reason app.Value) {
			text := reason.Call("toString").String()
			ctx.Dispatch(func(app.Context) { p.problem = text })
		})
}

// OnUpdate draws the new figures.
func (p *plate) OnUpdate(app.Context) { p.draw() }

// OnDismount removes the listeners of the drawing.
func (p *plate) OnDismount() {
	p.ready = false
	if p.chart != nil {
		p.chart.Call("destroy")
	}
}

// draw passes the figures to the script unless they are unchanged, so that an update of the page
// does not disturb a chart that is playing or pointed at.
func (p *plate) draw() {
	if !p.ready || p.Cells == 0 {
		return
	}
	now := figures(p.Of)
	if p.chart != nil && reflect.DeepEqual(now, p.drawn) {
		return
	}
	p.drawn = now
	spec := p.Spec()
	spec["title"] = p.Title
	if p.chart != nil {
		p.chart.Call("update", script(spec))
		return
	}
	host := app.Window().GetElementByID(p.ID)
	p.chart = app.Window().Get("berth").Get("chart").Call(p.Draw, host, script(spec))
}

// figures returns all exported fields of a chart except its handlers. Comparing two identical
// slices takes constant time.
func figures(chart app.Composer) []any {
	value := reflect.ValueOf(chart).Elem()
	var list []any
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if field.IsExported() && !field.Anonymous && field.Type.Kind() != reflect.Func {
			list = append(list, value.Field(i).Interface())
		}
	}
	return list
}

// Render draws the frame; the script fills it.
func (p *plate) Render() app.UI {
	class := "chart chart-" + p.Draw
	if p.waits() {
		class += " dimmed"
	}
	return app.Figure().Class(class).Aria("busy", p.waits()).DataSet("testid", p.TestID).Body(
		app.FigCaption().Body(
			app.Span().Text(p.Title),
			ui.Button("download", "CSV").Disabled(p.Cells == 0).OnClick(p.saveCSV),
			ui.Button("download", "SVG").Disabled(p.Cells == 0).OnClick(p.saveSVG),
		),
		p.field(),
		app.Div().Body(p.notes()...), // always one element, so that its siblings keep their elements
		app.Details().Hidden(!p.hasField()).On("toggle", p.toggle).Body(
			app.Summary().Text("As a table"),
			app.If(p.open || app.IsServer, p.table), // pages without scripts cannot open it
		),
	)
}

func (p *plate) waits() bool { return p.Waiting && p.Cells == 0 }

// hasField reports whether there is a drawing, or room for one.
func (p *plate) hasField() bool { return p.Cells > 0 || p.Waiting }

// field is the element in which the script draws.
func (p *plate) field() app.UI {
	field := app.Div().ID(p.ID).Class("chart-field").Hidden(!p.hasField()).On("berth:pick", p.pick)
	if p.Height != "" {
		field.Style("min-height", p.Height)
	}
	return field
}

// notes are the messages in place of a drawing.
func (p *plate) notes() []app.UI {
	return []app.UI{
		app.If(!p.hasField(), func() app.UI {
			return app.P().Class("chart-empty").Text(cmp.Or(p.Empty, "There is nothing to draw yet."))
		}),
		app.If(p.waits() && p.chart == nil, func() app.UI {
			return app.P().Class("chart-waiting").Text(p.Empty)
		}),
		app.If(p.problem != "", func() app.UI {
			return ui.Problem("The chart could not be drawn (" + p.problem + "); the table has its figures.")
		}),
	}
}

func (p *plate) pick(ctx app.Context, e app.Event) {
	if p.OnPick == nil {
		ctx.PreventUpdate()
		return
	}
	p.OnPick(ctx, e.Get("detail"))
}

func (p *plate) toggle(ctx app.Context, _ app.Event) { p.open = ctx.JSSrc().Get("open").Bool() }

func (p *plate) table() app.UI {
	if p.Cells > tableCells || app.IsServer && p.Cells > arrivingCells {
		return app.P().Text("With " + ui.Count(int64(p.Cells)) + " figures this table would be too long to read; save the CSV file to get them all.")
	}
	columns := make([]ui.Column, len(p.Header))
	for i, name := range p.Header {
		columns[i] = ui.Column{Name: name}
	}
	records := p.Rows()
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
	return &ui.Table{ID: p.ID + "-table", Caption: p.Title, Columns: columns, Rows: rows}
}

func (p *plate) saveCSV(app.Context, app.Event) {
	ui.Download(p.ID+".csv", "text/csv", csv.Table(append([][]string{p.Header}, p.Rows()...)))
}

func (p *plate) saveSVG(app.Context, app.Event) {
	if p.chart != nil {
		ui.Download(p.ID+".svg", "image/svg+xml", []byte(p.chart.Call("svg").String()))
	}
}
