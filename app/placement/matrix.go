package placement

import (
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/ui"
)

func undefined() ui.Cell { return ui.Figure(math.NaN()) }

// matrixPane shows the whole matrix CM or NAM at the explained step.
func (v *View) matrixPane() app.UI {
	m := v.why.matrix
	title := "CM: cost of each job on each cluster at this step"
	if v.why.tab == whyNAM {
		title = "NAM: affinity of each job to each cluster at this step; empty where it cannot be hosted"
	}
	return app.Div().Body(
		app.P().Class("note").Text("Jobs are in the order of the search."),
		&chart.Chart{ID: "matrix", Title: title,
			Of: chart.Heatmap{RowLabel: "job", ColumnLabel: "cluster", Rows: m.Rows, Columns: m.Columns, Values: m.Values}},
	)
}

// blank sets the cells of a matrix that have no colour to NaN: infinite values, and the
// zeros of NAM.
func blank(which string, cells []float64) {
	for i, x := range cells {
		if math.IsInf(x, 0) || x == 0 && which == whyNAM {
			cells[i] = math.NaN()
		}
	}
}
