package placement

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// plans draws, for each unplaced deployment, the moves of preemptible jobs of earlier deployments
// that would make it fit.
func plans(s *placementkind.StrategyReport) app.UI {
	var told []app.UI
	if s != nil {
		for i := range s.Deployments {
			if d := &s.Deployments[i]; d.Plan != nil {
				told = append(told, planned("plan-"+strconv.Itoa(i), d))
			}
		}
	}
	return app.Div().DataSet("testid", "result-plan").Hidden(told == nil).Body(told...)
}

func planned(id string, d *placementkind.DeploymentReport) app.UI {
	text := app.P().Class("note").Body(ui.Icon("info"), app.Span().Text(show.Words(planText(d))))
	if len(d.Plan.Moves) == 0 {
		return text
	}
	return app.Div().Body(text, movesTable(id, "Moves that would make room for "+show.Words(d.Name), true, planRows(d)))
}

func planText(d *placementkind.DeploymentReport) string {
	switch p := d.Plan; {
	case p.Status != placement.Placed:
		return fmt.Sprintf("%s cannot be placed, even if the %s before it may move: %s: %s.", d.Name, ui.Counted(p.Preemptible, "preemptible job"), p.Status.Words(), p.Reason)
	case !p.Cost.Total.Defined() && len(p.Moves) > 0:
		return fmt.Sprintf("%s would fit if %s moved. Nothing was moved.", d.Name, ui.Counted(len(p.Moves), "preemptible job"))
	case !p.Cost.Total.Defined():
		return d.Name + " would fit without moves: try another strategy."
	case len(p.Moves) == 0:
		return fmt.Sprintf("%s would fit for %s without moves: try another strategy.", d.Name, show.Money(p.Cost.Total))
	default:
		return fmt.Sprintf("%s would fit for %s if %s moved, at a cost of %s. Nothing was moved.",
			d.Name, show.Money(p.Cost.Total), ui.Counted(len(p.Moves), "preemptible job"), show.Money(p.MovesCost))
	}
}

// planRows lists the jobs that move, followed by the jobs of the deployment.
func planRows(d *placementkind.DeploymentReport) []ui.Row {
	var rows []ui.Row
	for _, m := range d.Plan.Moves {
		rows = append(rows, moveRow(m.Job, m.From, m.To, m.Deployment))
	}
	for _, a := range d.Plan.Placement {
		rows = append(rows, moveRow(a.Job, "–", a.Cluster, d.Name))
	}
	return rows
}

// movesTable lists jobs that move; if several, with their deployments.
func movesTable(id, caption string, several bool, rows []ui.Row) app.UI {
	return &ui.Table{ID: id, TestID: id, Caption: caption, Rows: rows,
		Columns: []ui.Column{{Name: "Job"}, {Name: "From"}, {Name: "To"}, {Name: "Deployment", Hidden: !several}}}
}

func moveRow(job, from, to, deployment string) ui.Row {
	return ui.Row{Cells: []ui.Cell{ui.Text(job), ui.Text(from), ui.Text(to), ui.Text(deployment)}}
}
