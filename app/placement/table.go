package placement

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
)

// deploymentTable has the figures of each of several deployments under the shown
// strategy, and why one was not placed.
func (v *View) deploymentTable() app.UI {
	if len(v.picture.deployments) < 2 {
		return app.Text("")
	}
	return &ui.Table{
		ID: "deployments", TestID: "deployment-table", Caption: "Deployments in the order in which they were placed",
		Columns: []ui.Column{
			{Name: "Deployment"},
			{Name: "Status", Prose: true},
			{Name: "Cost", Numeric: true},
			{Name: "Per unit", Title: "Node cost for each requested unit", Numeric: true},
			{Name: "Per link", Title: "Link cost for each dependency", Numeric: true},
			{Name: "Steps", Title: "How often the search went on to a job", Numeric: true},
			{Name: "Backtracks", Numeric: true},
			{Name: "Time", Title: "The search alone, of the first seed", Numeric: true},
		},
		Rows: v.picture.deployments,
	}
}

// deploymentRows takes the milliseconds of each search too, if they are known.
func deploymentRows(s *placementkind.StrategyReport, times []float64) []ui.Row {
	rows := make([]ui.Row, len(s.Deployments))
	for i, d := range s.Deployments {
		status := ui.Text("✓ placed")
		if !d.Placed() {
			status = ui.Text("✗ " + statusText(d.Status) + ": " + d.Reason)
		}
		rows[i].Cells = []ui.Cell{
			ui.Text(d.Name), status, figureCell(d.Cost.Total), figureCell(d.PerUnit), figureCell(d.PerLink),
			ui.Figure(float64(d.Expansions)), ui.Figure(float64(d.Backtracks)), undefined(),
		}
		if i < len(times) {
			rows[i].Cells[7] = ui.Cell{Text: shortTime(milliseconds(times[i])), Value: times[i]}
		}
	}
	return rows
}

func figureCell(v *float64) ui.Cell {
	if v == nil {
		return undefined()
	}
	return ui.Figure(*v)
}

// placementTable says where each job of the shown strategy went. Its first two
// cells are DOT ids; what is drawn stands in the others.
func (v *View) placementTable() app.UI {
	return &ui.Table{
		ID: "placement-rows", TestID: "placement-table", Caption: "Where each job went" + v.drawnSeed(),
		Columns: v.placementColumns(),
		Rows:    v.picture.rows, OnRow: v.explainRow, Selected: v.why.row + 1,
	}
}

// drawnSeed says which seed it is that is drawn and listed, where there are several.
func (v *View) drawnSeed() string {
	if seeds := v.result.Inputs.options.Strategies[v.shown].Seeds; seeds > 1 {
		return fmt.Sprintf(" with seed %d, the first of %d", v.result.Inputs.options.Seed, seeds)
	}
	return ""
}

func (v *View) placementColumns() []ui.Column {
	columns := []ui.Column{
		{Name: "Job", Title: "DOT id of the job"},
		{Name: "Cluster", Title: "DOT id of its cluster"},
		{Name: "Name", Title: "Drawn name of the job"},
		{Name: "On", Title: "Drawn name of the cluster"},
	}
	if len(v.result.body().Deployments) > 1 {
		columns = append(columns, ui.Column{Name: "Deployment"})
	}
	if v.Pinned() != nil {
		columns = append(columns, ui.Column{Name: "Before", Title: "DOT id of its cluster in the pinned result, where that is another one"})
	}
	return columns
}

// placed is a job of a deployment.
type placed struct{ deployment, job string }

// movedFrom says of the jobs of a strategy that stood elsewhere in the pinned
// result where that was; nil without one.
func (v *View) movedFrom(s *placementkind.StrategyReport) map[placed]string {
	d := v.Difference()
	if d == nil {
		return nil
	}
	from := map[placed]string{}
	for _, m := range d.Moved {
		if m.Subject == s.Strategy {
			from[placed{m.Group, m.Thing}] = cmp.Or(m.From, "not placed")
		}
	}
	return from
}

// movedElements are the ids of these jobs in the drawing.
func movedElements(s *placementkind.StrategyReport, from map[placed]string) []string {
	var ids []string
	for i, d := range s.Deployments {
		for j, a := range d.Placement {
			if from[placed{d.Name, a.Job}] != "" {
				ids = append(ids, jobElement(i, j))
			}
		}
	}
	return ids
}

// explainRow goes to the step at which the job of a row was placed.
func (v *View) explainRow(_ app.Context, index int) {
	v.Tab = ui.PaneWhy
	for i, d := range v.result.report(v.shown).Deployments {
		if index < len(d.Placement) {
			v.explainJob(i, index)
			return
		}
		index -= len(d.Placement)
	}
}

// explainJob goes to the step at which a placed job was placed.
func (v *View) explainJob(deployment, job int) {
	d := v.result.report(v.shown).Deployments[deployment]
	if job < len(d.Placement) {
		v.askWhy(deployment, slices.Index(d.Order, d.Placement[job].Job))
	}
}

// placementRows lists the jobs of all placed deployments, one after the other,
// in file order. Names are those of the known elements; others have their id
// only. From is where those stood before that have moved; nil if nothing is pinned.
func placementRows(s *placementkind.StrategyReport, known map[string]drawing.Element, from map[placed]string) []ui.Row {
	rows := []ui.Row{}
	for i, d := range s.Deployments {
		for j, a := range d.Placement {
			name, cluster := a.Job, a.Cluster
			if e, ok := known[jobElement(i, j)]; ok {
				name = e.Title
				if on, ok := known[fmt.Sprintf("cluster-%d", e.Cluster)]; ok {
					cluster = on.Title
				}
			}
			cells := []ui.Cell{ui.Text(a.Job), ui.Text(a.Cluster), ui.Text(name), ui.Text(cluster)}
			if len(s.Deployments) > 1 {
				cells = append(cells, ui.Text(d.Name))
			}
			row := ui.Row{Cells: cells}
			if from != nil {
				before := from[placed{d.Name, a.Job}]
				if row.Cells = append(cells, ui.Text(before)); before != "" {
					row.Class = "moved"
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}
