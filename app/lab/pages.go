package lab

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// PageRows is how many rows of a table of fields are drawn at once: more make
// the page slow.
const PageRows = 40

// Pages is the part of a long table of fields that is drawn.
type Pages struct{ first int }

// Of returns the first row and the one after the last that the table draws if it has n.
func (p *Pages) Of(n int) (from, to int) {
	p.first = min(p.first, max(0, n-1)/PageRows*PageRows) // rows may have gone
	return p.first, min(n, p.first+PageRows)
}

// Show turns to the page with row i.
func (p *Pages) Show(i int) { p.first = max(0, i) / PageRows * PageRows }

// Turner says which of n rows are drawn and turns the pages; it is hidden while
// there is one. What is called the thing of a row, and turned is called after
// each turn.
func (p *Pages) Turner(what string, n int, turned func()) app.UI {
	from, to := p.Of(n)
	turn := func(icon, label string, by int, end bool) app.UI {
		return ui.Disabled(ui.IconButton(icon, label), end).OnClick(func(app.Context, app.Event) {
			p.first = max(0, p.first+by*PageRows)
			turned()
		})
	}
	return app.Div().Class("row turner").Role("group").Aria("label", "Rows of "+what).Hidden(n <= PageRows).Body(
		turn("left", "Previous rows of "+what, -1, from == 0),
		app.Span().Class("figures").Role("status").Text(fmt.Sprintf("rows %s–%s of %s", ui.Count(int64(from+1)), ui.Count(int64(to)), ui.Count(int64(n)))),
		turn("right", "Next rows of "+what, +1, to == n),
	)
}
