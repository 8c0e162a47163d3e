package lab

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
)

// Beside is the state of the side-by-side view of the stage, which shows the pictures
// of two policies or schedulers.
type Beside struct {
	Open  bool
	Sides [2]int // indices into the subjects with a picture
}

// CompareOnStage toggles the side-by-side view. It opens with picture shown and the first other
// picture in of. If shown is the only picture, it opens the numbers.
func (c *comparison[I]) CompareOnStage(b *Beside, shown int, of []int) {
	other := slices.IndexFunc(of, func(i int) bool { return i != shown })
	switch {
	case b.Open:
		b.Open = false
	case other < 0:
		c.lab.Tab = ui.PaneCompare
	default:
		b.Open, b.Sides = true, [2]int{shown, of[other]}
	}
}

// FirstOf returns the numbers from 0 to n−1.
func FirstOf(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// BesidePane draws both pictures and a table of the metrics that differ. names lists
// all subjects with a picture.
func (c *comparison[I]) BesidePane(b *Beside, names []string, changed func(), picture func(side int) app.UI) app.UI {
	side := func(k int) app.UI { return app.Div().Class("front-side").Body(picture(k)) }
	return app.Div().Class("beside").Body(
		SideChoice(&b.Sides, FirstOf(len(names)), func(i int) string { return names[i] }, changed),
		app.Div().Class("front-sides").DataSet("testid", "side-by-side").Body(side(0), side(1), c.sidesTable(names[b.Sides[0]], names[b.Sides[1]])),
	)
}

// sidesTable lists the metrics in which subjects a and b of the result differ.
func (c *comparison[I]) sidesTable(a, b string) app.UI {
	report := c.lab.Runs.shown.Report
	subjects := report.Body.Subjects()
	rows := changeRows(scenario.Between(report, slices.Index(subjects, a), slices.Index(subjects, b)))
	return &ui.Table{ID: "beside-differences", TestID: "beside-differences", Caption: ui.Counted(len(rows), "figure") + " differ", Rows: rows,
		Columns: []ui.Column{{Name: "figure", Prose: true}, {Name: "Δ", Title: "B minus A", Numeric: true}, {Name: "A: " + a, Numeric: true}, {Name: "B: " + b, Numeric: true}}}
}

// SideChoice draws the two selects for the pictures side by side.
func SideChoice(sides *[2]int, of []int, name func(int) string, changed func()) app.UI {
	return app.Div().Class("row").Body(app.Range(sides[:]).Slice(func(k int) app.UI {
		id := "beside-" + strconv.Itoa(k)
		return ui.Field(id, string(rune('A'+k)), ui.Numbered(id, sides[k], of, name, func(i int) {
			sides[k] = i
			changed()
		}))
	}))
}
