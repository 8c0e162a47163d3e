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

// beside are two placements, side by side.
type beside struct {
	lab.Beside
	last [2]*lab.Known[sketch] // shown while others are awaited
}

// compared are the strategies that have a placement to be drawn.
func (r *result) compared() (all []int) {
	for i := range r.strategies() {
		if s := r.report(i); s != nil && r.placedJobs(s) > 0 {
			all = append(all, i)
		}
	}
	return all
}

// compareOnStage shows two strategies of the result, or ends that: the best one is the
// first to be compared with.
func (v *View) compareOnStage() {
	var of []int
	if v.result != nil {
		of = v.result.compared()
	}
	switch {
	case len(of) < 2:
		of = nil
	case v.other() >= 0:
		of = append([]int{v.other()}, of...)
	}
	v.CompareOnStage(&v.beside.Beside, v.shown, of)
}

// comparesOnStage reports whether two strategies are shown that the result has.
func (v *View) comparesOnStage() bool {
	has := func(i int) bool { return i < len(v.result.strategies()) && v.result.report(i) != nil }
	return v.beside.Open && v.result != nil && has(v.beside.Sides[0]) && has(v.beside.Sides[1])
}

// sketched is the drawing of placements, of has a value for each of these.
func (v *View) sketched(of any, placements []placementkind.Assignment) *lab.Known[sketch] {
	return lab.Know(v.Lab, [3]any{"sketch", of, fmt.Sprint(v.picture.deployment, v.picture.expanded)}, v.sketchOf(placements))
}

func placementsOf(s *placementkind.StrategyReport) []placementkind.Assignment {
	all := make([]placementkind.Assignment, len(s.Deployments))
	for i := range s.Deployments {
		all[i] = s.Deployments[i].Placement
	}
	return all
}

// besidePane is the comparison of two strategies in pictures.
func (v *View) besidePane() app.UI {
	if !v.comparesOnStage() {
		return ui.None()
	}
	b := &v.beside
	side := func(k int) ([]placementkind.Assignment, *lab.Known[sketch]) {
		s := v.result.report(b.Sides[k])
		return placementsOf(s), v.sketched(s, placementsOf(s))
	}
	return app.Div().Class("beside").Body(
		lab.SideChoice(&b.Sides, v.result.compared(), v.nameWithCost, func() {}),
		v.sideBySide("side-by-side", "beside", [2]string{"A: " + v.nameWithCost(b.Sides[0]), "B: " + v.nameWithCost(b.Sides[1])}, b, side),
	)
}

func (v *View) nameWithCost(i int) string {
	s := v.result.report(i)
	name := show.Capital(v.result.strategies()[i].StrategyName())
	if !s.Total.Total.Defined() || v.result.priceless() {
		return name
	}
	return name + ", " + show.Money(s.Total.Total)
}

// sideBySide shows two pictures, with the jobs on different clusters marked, and a table of
// these jobs. names are the titles of the pictures, and side has the placements of each.
func (v *View) sideBySide(testID, id string, names [2]string, b *beside, side func(k int) ([]placementkind.Assignment, *lab.Known[sketch])) app.UI {
	var placements [2][]placementkind.Assignment
	var drawn [2]*lab.Known[sketch]
	for k := range drawn {
		placements[k], drawn[k] = side(k)
		drawn[k] = drawn[k].Or(&b.last[k])
	}
	var moved []string
	o := v.picture.Overview
	rows, clusters := []ui.Row{}, clusterNames(o)
	for i := range placements[0] {
		for j, a := range placements[0][i] {
			if j >= len(placements[1][i]) {
				continue // the other has no placement of this deployment
			}
			if b := placements[1][i][j]; a.Cluster != b.Cluster {
				moved = append(moved, drawing.JobID(i, j))
				rows = append(rows, ui.Row{Cells: []ui.Cell{
					ui.Text(jobName(o, i, j, a.Job)), ui.Text(cmp.Or(clusters[a.Cluster], a.Cluster)), ui.Text(cmp.Or(clusters[b.Cluster], b.Cluster)),
				}})
			}
		}
	}
	picture := func(k int) app.UI {
		id := id + "-picture-" + strconv.Itoa(k)
		return app.Div().Class("front-side").Body(app.P().Text(names[k]),
			app.If(drawn[k].Problem != "", func() app.UI { return ui.Problem(drawn[k].Problem) }),
			&chart.Graph{ID: id, TestID: id, Label: names[k], SVG: drawn[k].Answer.svg, Names: drawn[k].Answer.names, Moved: moved})
	}
	return app.Div().Class("front-sides").DataSet("testid", testID).Body(
		picture(0), picture(1),
		&ui.Table{ID: id + "-differences", TestID: id + "-differences", Caption: ui.Counted(len(rows), "job") + " on another cluster", Rows: rows,
			Columns: []ui.Column{{Name: "Job"}, {Name: names[0]}, {Name: names[1]}}},
	)
}
