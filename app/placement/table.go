package placement

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/scenario"
)

// placementTable says where each job of the shown strategy went. Its first two
// cells are DOT ids; what is drawn stands in the others.
func (v *View) placementTable() app.UI {
	return &ui.Table{
		ID: "placement-rows", TestID: "placement-table", Caption: "Where each job went",
		Columns: []ui.Column{
			{Name: "Job", Title: "DOT id of the job"},
			{Name: "Cluster", Title: "DOT id of its cluster"},
			{Name: "Name", Title: "Drawn name of the job"},
			{Name: "On", Title: "Drawn name of the cluster"},
			{Name: "Deployment"},
		},
		Rows:  v.picture.rows,
		OnRow: v.explainRow,
	}
}

// explainRow goes to the step at which the job of a row was placed.
func (v *View) explainRow(_ app.Context, index int) {
	s := v.result.report(v.shown)
	for i, d := range s.Deployments {
		if index < len(d.Placement) {
			v.askWhy(i, slices.Index(d.Order, d.Placement[index].Job))
			return
		}
		index -= len(d.Placement)
	}
}

// placementRows lists the jobs of all placed deployments, one after the other,
// in file order. Names are those of the drawn elements; what is not drawn has
// its id only.
func placementRows(s *scenario.StrategyReport, elements []drawing.Element) []ui.Row {
	drawn := make(map[string]*drawing.Element, len(elements))
	for i := range elements {
		drawn[elements[i].ID] = &elements[i]
	}
	rows := []ui.Row{}
	for i, d := range s.Deployments {
		for j, a := range d.Placement {
			name, cluster := a.Job, a.Cluster
			if e := drawn[fmt.Sprintf("job-%d-%d", i, j)]; e != nil {
				name = e.Title
				if on := drawn[fmt.Sprintf("cluster-%d", e.Cluster)]; on != nil {
					cluster = on.Title
				}
			}
			rows = append(rows, ui.Row{Cells: []ui.Cell{
				ui.Text(a.Job), ui.Text(a.Cluster), ui.Text(name), ui.Text(cluster), ui.Text(d.Name),
			}})
		}
	}
	return rows
}
