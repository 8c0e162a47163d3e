package placement

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
)

// deploymentTable lists the figures of each deployment under the shown strategy, and why any
// deployment was not placed. It is empty for a single deployment.
func (c *comparison) deploymentTable() app.UI {
	if len(c.view.picture.deployments) < 2 {
		return ui.None()
	}
	columns, figures := []ui.Column{{Name: "Deployment"}}, []ui.Column{}
	for _, f := range placementkind.Labelled() {
		name, title := heading(&f)
		if c.view.Pins.Pinned() != nil && differs(&f) {
			columns = append(columns, lab.DeltaColumn(name))
		}
		figures = append(figures, ui.Column{Name: show.Capital(name), Title: title, Numeric: true})
	}
	columns = append(append(columns, ui.Column{Name: "Status", Prose: true}), figures...)
	columns = append(columns, ui.Column{Name: "Time", Title: "Time of the search alone, first seed", Numeric: true})
	caption := "Deployments in the order in which they were placed"
	if c.view.result.jointly() {
		caption = "Deployments, all placed at once"
	}
	return &ui.Table{
		ID: "deployments", TestID: "deployment-table", Caption: caption,
		Columns: columns, Rows: c.view.picture.deployments,
	}
}

// differs reports whether the table of deployments compares a figure with the pinned
// result. Only four columns fit a phone.
func differs(f *figure.Figure) bool {
	return !f.Aside && f.Group != placementkind.OfCertificate
}

// addDeltas inserts, after the deployment's name, the differences of its figures from the same
// strategy in the pinned result.
func (c *comparison) addDeltas(rows []ui.Row, s *placementkind.StrategyReport) {
	pinned := c.view.Pins.Pinned()
	if pinned == nil {
		return
	}
	was, before := map[string][]ui.Cell{}, placementkind.ReportOf(pinned)
	for k := range before.Strategies {
		if of := &before.Strategies[k]; of.Strategy == s.Strategy {
			for i, row := range deploymentRows(before, of, nil) {
				was[of.Deployments[i].Name] = row.Cells
			}
		}
	}
	for i := range rows {
		cells := rows[i].Cells
		before, deltas := was[s.Deployments[i].Name], cells[:1:1]
		for k, f := range placementkind.Labelled() {
			if !differs(&f) {
				continue
			}
			delta, at := lab.NoDelta, beforeFigures+k
			if before != nil {
				delta = lab.DeltaOf(f.Form, figure.Number(before[at].Value), figure.Number(cells[at].Value))
			}
			deltas = append(deltas, delta)
		}
		rows[i].Cells = append(deltas, cells[1:]...)
	}
}

// beforeFigures is the number of cells before the figures in a row of [deploymentRows].
const beforeFigures = 2

// deploymentRows lists the deployments of a strategy. times are the search times in
// milliseconds; nil if unknown.
func deploymentRows(r *placementkind.Report, s *placementkind.StrategyReport, times []float64) []ui.Row {
	rows := make([]ui.Row, len(s.Deployments))
	for i := range s.Deployments {
		d, t := &s.Deployments[i], r.TallyOf(s, i)
		status := ui.Text("✓ placed")
		if !d.Placed() {
			status = ui.Text("✗ " + d.Status.Words() + ": " + d.Reason)
		}
		cells := []ui.Cell{ui.Text(d.Name), status}
		for _, f := range placementkind.Labelled() {
			cell := ui.Figure(float64(t.Own(&f)))
			if f.Words != nil {
				cell.Text = shown(&f, t)
			}
			cells = append(cells, cell)
		}
		time := undefined()
		if i < len(times) {
			time = ui.Cell{Text: shortTime(milliseconds(times[i])), Value: times[i]}
		}
		rows[i].Cells = append(cells, time)
	}
	return rows
}

// placementTable lists the cluster of each job under the shown strategy. The first two cells of a
// row are DOT ids, which a button reveals; the others are names.
func (c *comparison) placementTable() app.UI {
	return app.Div().Body(
		ui.Button("", "DOT ids").Aria("pressed", c.view.picture.ids).OnClick(func(app.Context, app.Event) { c.view.picture.ids = !c.view.picture.ids }),
		&ui.Table{
			ID: "placement-rows", TestID: "placement-table", Caption: "Where each job went" + c.drawnSeed(),
			Columns: c.placementColumns(),
			Rows:    c.view.picture.rows, OnRow: c.explainRow, Selected: c.view.why.row + 1,
		},
	)
}

// drawnSeed names the seed of the drawing and the tables; "" if the strategy has only
// one.
func (c *comparison) drawnSeed() string {
	if seeds := c.view.result.strategies()[c.view.shown].Seeds; seeds > 1 {
		return fmt.Sprintf(" with seed %d, the first of %d", c.view.result.Inputs.options.Seed, seeds)
	}
	return ""
}

func (c *comparison) placementColumns() []ui.Column {
	columns := []ui.Column{
		{Name: "Id", Title: "DOT id of the job", Hidden: !c.view.picture.ids},
		{Name: "Cluster id", Title: "DOT id of its cluster", Hidden: !c.view.picture.ids},
		{Name: "Job"},
		{Name: "Cluster"},
	}
	if len(c.view.result.deployments()) > 1 {
		columns = append(columns, ui.Column{Name: "Deployment"})
	}
	if c.movedFrom(c.view.result.report(c.view.shown)) != nil {
		columns = append(columns, ui.Column{Name: "Before", Title: "DOT id of its earlier cluster, in the first strategy's or the pinned result, or before the improvement, if it moved"})
	}
	return columns
}

// placed identifies a job within a deployment.
type placed struct{ deployment, job string }

// movedFrom returns the earlier clusters of the jobs that strategy s places elsewhere. It compares
// the page's search with the first strategy, and any other strategy with the pinned result. If
// nothing is pinned, it compares an improvement with the placement before it. It returns nil if
// there is nothing to compare.
func (c *comparison) movedFrom(s *placementkind.StrategyReport) map[placed]string {
	var moves []scenario.Move
	nowhere := "" // text for the earlier place of a job that was not placed
	switch d, x := c.view.Pins.Difference(), c.view.searches.improved; {
	case s == c.view.result.found():
		moves = s.MovesFrom(c.view.result.report(0))
	case d != nil:
		moves, nowhere = d.Moved, "not placed"
	case x != nil && c.view.shown == 0 && c.view.result.Inputs.SameWork(x.inputs):
		moves = s.MovesFrom(x.before)
	default:
		return nil
	}
	from := map[placed]string{}
	for _, m := range moves {
		if m.Subject == s.Strategy {
			from[placed{m.Group, m.Thing}] = cmp.Or(m.From, nowhere)
		}
	}
	return from
}

// movedElements returns the ids, in the drawing, of the jobs in from.
func movedElements(jobs []placedJob, from map[placed]string) (ids []string) {
	for i := range jobs {
		if from[jobs[i].placed] != "" {
			ids = append(ids, jobs[i].element())
		}
	}
	return ids
}

// explainRow explains the step that placed the job of a row.
func (c *comparison) explainRow(_ app.Context, index int) {
	c.view.Tab = ui.PaneWhy
	if index < len(c.view.picture.jobs) {
		at := c.view.picture.jobs[index].at
		c.explainJob(at[0], at[1])
	}
}

// explainJob explains the step that placed a job.
func (c *comparison) explainJob(deployment, job int) {
	d := c.view.result.report(c.view.shown).Deployments[deployment]
	if job < len(d.Placement) {
		c.view.why.askWhy(deployment, slices.Index(d.Order, d.Placement[job].Job))
	}
}

// clusterNames maps the ids of clusters to their names.
func clusterNames(o drawing.Overview) map[string]string {
	names := map[string]string{}
	for _, c := range o.Clusters {
		names[c.ID] = c.Name
	}
	return names
}

// jobName returns the name of a job, or its id if the overview does not have the job.
func jobName(o drawing.Overview, deployment, job int, id string) string {
	if deployment < len(o.Jobs) && job < len(o.Jobs[deployment].IDs) && o.Jobs[deployment].IDs[job] == id {
		return o.Jobs[deployment].Names[job]
	}
	return id
}

// placedJob is a job with its cluster, both by id and by name.
type placedJob struct {
	placed
	at                         [2]int // indices of the deployment and of the job in it
	name, cluster, clusterName string
}

func (j *placedJob) element() string { return drawing.JobID(j.at[0], j.at[1]) }

// placedJobs lists the jobs of all placed deployments in the order of the files, with
// the names of the overview.
func placedJobs(s *placementkind.StrategyReport, o drawing.Overview) (all []placedJob) {
	clusters := clusterNames(o)
	for i, d := range s.Deployments {
		for j, a := range d.Placement {
			all = append(all, placedJob{placed{d.Name, a.Job}, [2]int{i, j}, jobName(o, i, j, a.Job), a.Cluster, cmp.Or(clusters[a.Cluster], a.Cluster)})
		}
	}
	return all
}

// placementRows returns a row for each job. If several is set, it includes the deployment. from
// holds the earlier clusters of moved jobs; nil if there is nothing to compare.
func placementRows(jobs []placedJob, several bool, from map[placed]string) []ui.Row {
	rows := []ui.Row{}
	for _, j := range jobs {
		row := ui.Row{Cells: []ui.Cell{ui.Text(j.job), ui.Text(j.cluster), ui.Text(j.name), ui.Text(j.clusterName)}}
		if several {
			row.Cells = append(row.Cells, ui.Text(j.deployment))
		}
		if from != nil {
			before := from[j.placed]
			row.Cells = append(row.Cells, ui.Text(before))
			if before != "" {
				row.Class = "moved"
			}
		}
		rows = append(rows, row)
	}
	return rows
}
