package placement

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// mostBinding limits the listed binding capacities, and the listed binding
// dependencies.
const mostBinding = 8

// elsewherePane shows the cost of a job on every other cluster, with all other jobs in
// place. It also shows the value of more capacity and of looser latency bounds.
func (v *View) elsewherePane(s *placementkind.Standings) app.UI {
	if len(s.Explanations) == 0 {
		return ui.Empty("There is no placement, so no job can move.")
	}
	job := &s.Explanations[0]
	return app.Div().DataSet("testid", "why-elsewhere").Body(
		app.P().Class("claim").Text(show.Words(standingText(job))),
		&ui.Table{
			ID: "elsewhere", Caption: "Every other cluster for " + show.Words(job.Job) + ", if all other jobs stay",
			Columns: []ui.Column{
				{Name: "Cluster", Title: "DOT id of the cluster"},
				{Name: "Name"},
				{Name: "Cost", Title: "Of the job on this cluster, with all its links", Numeric: true},
				{Name: "Change", Title: "Of the total cost, by this move alone", Numeric: true},
				{Name: "Why not", Prose: true},
			},
			Rows: elsewhereRows(job),
		},
		app.If(job.Cost != nil, func() app.UI { return bindingList(s) }),
	)
}

// standingText describes the cost of a job on its cluster, and the cheapest move.
func standingText(s *placement.Standing) string {
	if s.Cost == nil {
		return fmt.Sprintf("It is on %s. Its cost there and elsewhere is unknown without prices.", s.Cluster)
	}
	text := fmt.Sprintf("It costs %s on %s, with all its links. ", show.Money(figure.From(s.Cost)), s.Cluster)
	switch {
	case len(s.Moves) == 0 || s.Moves[0].Change == nil:
		text += "No other cluster can take it if all other jobs stay."
	default:
		text += fmt.Sprintf("The cheapest move, to %s, changes the total by %s.", s.Moves[0].Cluster, signed(*s.Moves[0].Change))
	}
	if s.Swap == nil {
		return text + " It can swap places with no other job."
	}
	return text + fmt.Sprintf(" The best swap, with %s on %s, changes it by %s.", s.Swap.With, s.Swap.Cluster, signed(s.Swap.Change))
}

// signed formats a change of a cost; an increase gets a plus sign.
func signed(v float64) string {
	switch {
	case v > 0:
		return "+" + show.Money(v)
	case v < 0:
		return "-" + show.Money(-v)
	}
	return show.Money(v)
}

func elsewhereRows(s *placement.Standing) []ui.Row {
	rows := make([]ui.Row, len(s.Moves))
	for i, m := range s.Moves {
		rows[i].Cells = []ui.Cell{ui.Text(m.Cluster), ui.Text(m.Name), ui.Figure(float64(figure.From(m.Cost))), ui.Figure(float64(figure.From(m.Change))), ui.Text("")}
		switch {
		case m.Kind != "":
			rows[i].Class, rows[i].Cells[4] = "refused", ui.Text("refused: "+m.Text)
		case m.Change != nil:
			rows[i].Cells[3].Text = signed(*m.Change)
		}
	}
	return rows
}

// bindingList lists the capacities and dependencies that keep the whole placement from
// being cheaper.
func bindingList(s *placementkind.Standings) app.UI {
	var texts []string
	for _, p := range s.Prices[:min(len(s.Prices), mostBinding)] {
		texts = append(texts, fmt.Sprintf("One more unit of %s in %s is worth %s.", p.Resource, p.Cluster, ui.Number(p.Price)))
	}
	for _, b := range s.Bindings[:min(len(s.Bindings), mostBinding)] {
		texts = append(texts, fmt.Sprintf("%s of %s instead of %s between %s and %s is worth %s: %s could move to %s.",
			show.Capital(b.What), ui.Unit(b.Needed, b.Unit), ui.Unit(b.Bound, b.Unit), b.Jobs[0], b.Jobs[1], show.Money(b.Saves), b.Job, b.Cluster))
	}
	list := app.Div().DataSet("testid", "why-binds")
	if len(texts) == 0 {
		return list.Body(app.P().Text("No capacity and no dependency keeps a job from a cheaper place."))
	}
	title := "What keeps jobs of the whole placement from cheaper places"
	if more := len(s.Prices) + len(s.Bindings) - len(texts); more > 0 {
		title += fmt.Sprintf(", without %d that are worth less", more)
	}
	return list.Body(
		app.P().Text(title+":").Title("The value of capacity comes from the prices of the lower bound and holds for small changes; the value of a dependency comes from the best move of one job"),
		app.Ul().Body(app.Range(texts).Slice(func(i int) app.UI { return app.Li().Text(show.Words(texts[i])) })),
	)
}
