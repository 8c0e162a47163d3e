package lab

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// PageRows is the number of rows of a table of fields on one page of the table. More rows
// would make the browser slow.
const PageRows = 40

// Pages is the position in a long table of fields, which shows one page at a time.
type Pages struct{ first int }

// Of returns the range [from, to) of the rows to draw, out of n rows.
func (p *Pages) Of(n int) (from, to int) {
	p.first = min(p.first, max(0, n-1)/PageRows*PageRows) // rows may have been removed
	return p.first, min(n, p.first+PageRows)
}

// Show turns to the page with row i.
func (p *Pages) Show(i int) { p.first = max(0, i) / PageRows * PageRows }

// Turner shows the range of rows on screen and buttons that turn the pages. It is hidden if all
// rows fit on one page. what is the plural noun for the rows in labels. turned is called after each
// turn.
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
