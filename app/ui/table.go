package ui

import (
	"cmp"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/show"
)

// tableRows limits the rows that a table draws.
const tableRows = 1000

// Column is a column of a [Table] with its heading.
type Column struct {
	Name    string
	Title   string // tooltip that explains the figures
	Numeric bool   // right-aligned, sorted by value
	Prose   bool   // holds sentences, which wrap, unlike names and figures
	Hidden  bool   // in the table, but invisible
}

// Markup is HTML that goes onto the page unchanged. Escape text from outside with html.EscapeString
// first.
type Markup string

// Cell is a cell of a [Table].
type Cell struct {
	Text  string
	Title string  // tooltip
	Value float64 // sort key of a numeric column; NaN sorts last
	After Markup  // drawn behind the text, such as a bar
}

// Text returns a cell with a text.
func Text(s string) Cell { return Cell{Text: s} }

// Figure returns a cell with a number: three significant digits, and all digits in the tooltip.
func Figure(v float64) Cell {
	c := Cell{Text: Number(v), Value: v}
	if !math.IsNaN(v) {
		c.Title = Exact(v)
	}
	return c
}

// Row is a row of a [Table]. It has a cell for each column, including hidden ones.
type Row struct {
	Cells []Cell
	Class string
}

// Table is a table that the user can sort by any column. Its body is one piece of HTML, because a
// thousand rows of go-app elements are slow. It redraws only for a new slice of Rows, so a caller
// must not change Rows in place.
type Table struct {
	app.Compo

	ID      string
	TestID  string // data-testid of the table element
	Caption string
	Columns []Column
	Rows    []Row

	// OnRow, if not nil, makes the first visible cell of each row a button; index is an index of
	// Rows.
	OnRow    func(ctx app.Context, index int)
	Selected int // number of the marked row, from 1; 0: none

	sorted     int // column, from 1; 0: order of Rows
	descending bool
	drawn      drawn
}

// drawn is the HTML of a table, and the input that it was made from.
type drawn struct {
	rows       *Row
	n, sorted  int
	descending bool
	caption    string
	hidden     string // indices of hidden columns
	html       string
}

// OnMount marks the selected row.
func (t *Table) OnMount(ctx app.Context) { ctx.Defer(t.mark) }

// OnUpdate marks the selected row.
func (t *Table) OnUpdate(ctx app.Context) { ctx.Defer(t.mark) }

// Render draws the table.
func (t *Table) Render() app.UI {
	markup := t.markup()
	if app.IsServer && t.OnRow != nil { // the server runs no script to mark the row
		row := ` data-row="` + strconv.Itoa(t.Selected-1) + `"`
		markup = strings.Replace(markup, "<tr"+row, `<tr aria-current="true"`+row, 1)
	}
	return app.Div().Class("table").ID(t.ID).DataSet("rove", "yes").Role("region").Aria("label", t.Caption).
		OnClick(t.click).
		Body(app.Raw(markup))
}

func (t *Table) click(ctx app.Context, e app.Event) {
	target := e.Get("target")
	if head := target.Call("closest", "[data-column]"); head.Truthy() {
		column, _ := strconv.Atoi(head.Get("dataset").Get("column").String())
		t.sortBy(column)
		ctx.Defer(func(ctx app.Context) {
			t.mark(ctx)
			t.JSValue().Call("querySelector", `[data-column="`+strconv.Itoa(column)+`"]`).Call("focus")
		})
		return
	}
	row := target.Call("closest", "[data-row]")
	if t.OnRow == nil || !row.Truthy() {
		ctx.PreventUpdate()
		return
	}
	index, _ := strconv.Atoi(row.Get("dataset").Get("row").String())
	t.OnRow(ctx, index)
}

// sortBy cycles a column through ascending, descending and the given order.
func (t *Table) sortBy(column int) {
	switch {
	case t.sorted != column:
		t.sorted, t.descending = column, false
	case !t.descending:
		t.descending = true
	default:
		t.sorted, t.descending = 0, false
	}
}

func (t *Table) mark(app.Context) {
	if t.OnRow == nil {
		return
	}
	if old := t.JSValue().Call("querySelector", "tr[aria-current]"); old.Truthy() {
		old.Call("removeAttribute", "aria-current")
	}
	selector := `tr[data-row="` + strconv.Itoa(t.Selected-1) + `"]`
	if row := t.JSValue().Call("querySelector", selector); row.Truthy() {
		row.Call("setAttribute", "aria-current", "true")
	}
}

// markup returns the HTML of the table. It regenerates the HTML only after a change.
func (t *Table) markup() string {
	now := drawn{n: len(t.Rows), sorted: t.sorted, descending: t.descending, caption: t.Caption}
	if len(t.Rows) > 0 {
		now.rows = &t.Rows[0]
	}
	for i, c := range t.Columns {
		if c.Hidden {
			now.hidden += strconv.Itoa(i) + " "
		}
	}
	now.html = t.drawn.html
	if now != t.drawn || now.html == "" {
		now.html = t.write()
		t.drawn = now
	}
	return t.drawn.html
}

func (t *Table) write() string {
	var b strings.Builder
	b.WriteString(`<table data-testid="` + html.EscapeString(t.TestID) + `">`)
	b.WriteString("<caption>" + html.EscapeString(show.Words(t.Caption)) + "</caption><thead><tr>")
	for i, c := range t.Columns {
		t.writeHead(&b, i+1, c)
	}
	b.WriteString("</tr></thead><tbody>")
	order := t.order()
	for _, i := range order[:min(tableRows, len(order))] {
		t.writeRow(&b, i)
	}
	b.WriteString("</tbody>")
	if len(order) > tableRows {
		b.WriteString(`<tfoot><tr><td colspan="` + strconv.Itoa(len(t.Columns)) + `">The first ` +
			Count(tableRows) + " of " + Count(int64(len(order))) + " rows; the exports have all.</td></tr></tfoot>")
	}
	b.WriteString("</table>")
	return b.String()
}

func (t *Table) writeHead(b *strings.Builder, column int, c Column) {
	order, arrow := "none", ""
	if t.sorted == column {
		order, arrow = "ascending", " ↑"
		if t.descending {
			order, arrow = "descending", " ↓"
		}
	}
	b.WriteString(`<th scope="col" aria-sort="` + order + `"` + class(c) + `><button type="button" tabindex="-1" data-column="` +
		strconv.Itoa(column) + `" title="` + html.EscapeString(c.Title) + `">` +
		html.EscapeString(show.Words(c.Name)) + arrow + "</button></th>")
}

func (t *Table) writeRow(b *strings.Builder, index int) {
	row := t.Rows[index]
	first := slices.IndexFunc(t.Columns, func(c Column) bool { return !c.Hidden })
	b.WriteString(`<tr data-row="` + strconv.Itoa(index) + `" class="` + html.EscapeString(row.Class) + `">`)
	for i, cell := range row.Cells {
		text := html.EscapeString(show.Words(cell.Text))
		if i == first && t.OnRow != nil {
			text = `<button type="button" tabindex="-1">` + text + "</button>"
		}
		b.WriteString("<td" + class(t.Columns[i]))
		if cell.Title != "" {
			b.WriteString(` title="` + html.EscapeString(show.Words(cell.Title)) + `"`)
		}
		b.WriteString(">" + text + string(cell.After) + "</td>")
	}
	b.WriteString("</tr>")
}

// class returns the class attribute of a column's cells.
func class(c Column) string {
	if c.Hidden {
		return ` class="unshown"`
	}
	switch {
	case c.Numeric:
		return ` class="number"`
	case c.Prose:
		return ` class="prose"`
	}
	return ""
}

// order returns the indices of the rows in drawing order.
func (t *Table) order() []int {
	order := make([]int, len(t.Rows))
	for i := range order {
		order[i] = i
	}
	if t.sorted == 0 {
		return order
	}
	column := t.sorted - 1
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := t.Rows[a].Cells[column], t.Rows[b].Cells[column]
		if t.Columns[column].Numeric {
			return compareFigures(x.Value, y.Value, t.descending)
		}
		if t.descending {
			x, y = y, x
		}
		return compareNatural(x.Text, y.Text)
	})
	return order
}

// compareFigures compares figures; NaN sorts last in both directions.
func compareFigures(x, y float64, descending bool) int {
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return -cmp.Compare(x, y)
	case descending:
		return cmp.Compare(y, x)
	default:
		return cmp.Compare(x, y)
	}
}

// compareNatural compares runs of digits by value: n9 comes before n10.
func compareNatural(x, y string) int {
	for x != "" && y != "" {
		a, b := digits(x), digits(y)
		if a == "" || b == "" {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		x, y = x[len(a):], y[len(b):]
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		if c := cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

// digits returns the digits at the start of s.
func digits(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}

// Scrolled is a named region for content that may be larger than its place. The keyboard can reach
// and scroll it.
func Scrolled(class, label string, content ...app.UI) app.HTMLDiv {
	return app.Div().Class(class).TabIndex(0).Role("region").Aria("label", label).Body(content...)
}

// Plain is a table whose rows are go-app elements.
func Plain(caption string, columns []string, rows ...app.UI) app.HTMLTable {
	head := make([]app.UI, len(columns))
	for i, name := range columns {
		head[i] = app.Th().Scope("col").Text(name)
	}
	return app.Table().Body(app.Caption().Text(caption), app.THead().Body(app.Tr().Body(head...)), app.TBody().Body(rows...))
}
