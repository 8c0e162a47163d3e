package placement

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// beside is the state of two placements drawn side by side.
type beside struct {
	lab.Beside
	last [2]*lab.Known[sketch] // shown while new drawings are awaited
}

// compared returns the indices of the strategies that placed at least one job.
func (r *result) compared() (all []int) {
	for i := range r.strategies() {
		if s := r.report(i); s != nil && r.placedJobs(s) > 0 {
			all = append(all, i)
		}
	}
	return all
}

// compareOnStage opens or closes the side-by-side view of two strategies. The best strategy is the
// first choice for the other side.
func (c *comparison) compareOnStage() {
	var of []int
	if c.view.result != nil {
		of = c.view.result.compared()
	}
	switch {
	case len(of) < 2:
		of = nil
	case c.view.other() >= 0:
		of = append([]int{c.view.other()}, of...)
	}
	c.view.Pins.CompareOnStage(&c.beside.Beside, c.view.shown, of)
}

// comparesOnStage reports whether the side-by-side view is open and both of its
// strategies have results.
func (c *comparison) comparesOnStage() bool {
	has := func(i int) bool { return i < len(c.view.result.strategies()) && c.view.result.report(i) != nil }
	return c.beside.Open && c.view.result != nil && has(c.beside.Sides[0]) && has(c.beside.Sides[1])
}

// sketched returns the drawing of placements. of is their key in the cache.
func (c *comparison) sketched(of any, placements []placementkind.Assignment) *lab.Known[sketch] {
	q := c.view.picture.pictureQuery(0)
	return lab.Know(c.view.Lab, [3]any{"sketch", of, fmt.Sprint(q.Deployment, q.Expand, q.Narrow)}, c.sketchOf(placements))
}

func placementsOf(s *placementkind.StrategyReport) []placementkind.Assignment {
	all := make([]placementkind.Assignment, len(s.Deployments))
	for i := range s.Deployments {
		all[i] = s.Deployments[i].Placement
	}
	return all
}

// besidePane draws two strategies side by side.
func (c *comparison) besidePane() app.UI {
	if !c.comparesOnStage() {
		return ui.None()
	}
	b := &c.beside
	side := func(k int) ([]placementkind.Assignment, *lab.Known[sketch]) {
		s := c.view.result.report(b.Sides[k])
		return placementsOf(s), c.sketched(s, placementsOf(s))
	}
	return app.Div().Class("beside").Body(
		lab.SideChoice(&b.Sides, c.view.result.compared(), c.nameWithCost, func() {}),
		c.sideBySide("side-by-side", "beside", [2]string{"A: " + c.nameWithCost(b.Sides[0]), "B: " + c.nameWithCost(b.Sides[1])}, b, side),
	)
}

func (c *comparison) nameWithCost(i int) string {
	s := c.view.result.report(i)
	name := show.Capital(c.view.result.strategies()[i].StrategyName())
	if !s.Total.Total.Defined() || c.view.result.priceless() {
		return name
	}
	return name + ", " + show.Money(s.Total.Total)
}

// sideBySide draws two pictures, marks the jobs that are on different clusters, and
// lists these jobs in a table. names are the titles of the pictures; side returns the
// placements and the drawing of side k.
func (c *comparison) sideBySide(testID, id string, names [2]string, b *beside, side func(k int) ([]placementkind.Assignment, *lab.Known[sketch])) app.UI {
	var placements [2][]placementkind.Assignment
	var drawn [2]*lab.Known[sketch]
	for k := range drawn {
		placements[k], drawn[k] = side(k)
		drawn[k] = drawn[k].Or(&b.last[k])
	}
	o := c.view.picture.Overview
	rows, clusters, moved := []ui.Row{}, clusterNames(o), movedBetween(placements[0], placements[1])
	for _, id := range moved {
		i, j, _ := drawing.JobOf(id)
		a, b := placements[0][i][j], placements[1][i][j]
		rows = append(rows, ui.Row{Cells: []ui.Cell{
			ui.Text(jobName(o, i, j, a.Job)), ui.Text(cmp.Or(clusters[a.Cluster], a.Cluster)), ui.Text(cmp.Or(clusters[b.Cluster], b.Cluster)),
		}})
	}
	picture := func(k int) app.UI {
		id := id + "-picture-" + strconv.Itoa(k)
		return app.Div().Class("front-side").Body(app.P().Text(names[k]),
			app.If(drawn[k].Problem != "", func() app.UI { return ui.Problem(drawn[k].Problem) }),
			&chart.Graph{ID: id, TestID: id, Label: names[k], SVG: drawn[k].Answer.svg, Names: drawn[k].Answer.names, Copy: true, Moved: moved})
	}
	return app.Div().Class("front-sides").DataSet("testid", testID).Body(
		picture(0), picture(1),
		&ui.Table{ID: id + "-differences", TestID: id + "-differences", Caption: ui.Counted(len(rows), "job") + " on another cluster", Rows: rows,
			Columns: []ui.Column{{Name: "Job"}, {Name: names[0]}, {Name: names[1]}}},
	)
}
