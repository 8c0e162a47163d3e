package placement

import (
	"cmp"
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
	drawn   [2]sketch
	asked   lab.Latest
	problem string
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
	v.drawBeside()
}

// drawBeside draws both placements, of the result that is on screen now.
func (v *View) drawBeside() {
	b := &v.beside
	for _, i := range b.Sides {
		if b.Open && (i > len(v.result.strategies())-1 || v.result.report(i) == nil) {
			b.Open = false // of another result
		}
	}
	v.drawSides(b, func(i int) []placementkind.Assignment { return placementsOf(v.result.report(i)) })
}

// drawSides draws the placements of both sides, unless these are not open.
func (v *View) drawSides(b *beside, of func(side int) []placementkind.Assignment) {
	if !b.Open {
		return
	}
	draw := [2]func() (sketch, error){v.sketchOf(of(b.Sides[0])), v.sketchOf(of(b.Sides[1]))}
	lab.Ask(&b.asked, v.Later, func() (drawn [2]sketch, err error) {
		for k := range drawn {
			if err == nil {
				drawn[k], err = draw[k]()
			}
		}
		return drawn, err
	}, func(drawn [2]sketch, err error) {
		b.drawn, b.problem = drawn, problemOf(err)
	})
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
	b := &v.beside
	if !b.Open || v.result == nil {
		return ui.None()
	}
	return app.Div().Class("beside").Body(
		lab.SideChoice(&b.Sides, v.result.compared(), v.nameWithCost, v.drawBeside),
		app.If(b.problem != "", func() app.UI { return ui.Problem(b.problem) }),
		v.sideBySide("side-by-side", "beside", [2]string{"A: " + v.nameWithCost(b.Sides[0]), "B: " + v.nameWithCost(b.Sides[1])},
			[2][]placementkind.Assignment{placementsOf(v.result.report(b.Sides[0])), placementsOf(v.result.report(b.Sides[1]))}, b.drawn),
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
// these jobs. names are the titles of the pictures.
func (v *View) sideBySide(testID, id string, names [2]string, placements [2][]placementkind.Assignment, drawn [2]sketch) app.UI {
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
			&chart.Graph{ID: id, TestID: id, Label: names[k], SVG: drawn[k].svg, Names: drawn[k].names, Moved: moved})
	}
	return app.Div().Class("front-sides").DataSet("testid", testID).Body(
		picture(0), picture(1),
		&ui.Table{ID: id + "-differences", TestID: id + "-differences", Caption: ui.Counted(len(rows), "job") + " on another cluster", Rows: rows,
			Columns: []ui.Column{{Name: "Job"}, {Name: names[0]}, {Name: names[1]}}},
	)
}
