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

// deploymentTable has the figures of each of several deployments under the shown
// strategy, and why one was not placed.
func (v *View) deploymentTable() app.UI {
	if len(v.picture.deployments) < 2 {
		return ui.None()
	}
	columns, figures := []ui.Column{{Name: "Deployment"}}, []ui.Column{}
	for _, f := range placementkind.Labelled() {
		name, title := heading(&f)
		if v.Pinned() != nil && differs(&f) {
			columns = append(columns, lab.DeltaColumn(name))
		}
		figures = append(figures, ui.Column{Name: show.Capital(name), Title: title, Numeric: true})
	}
	columns = append(append(columns, ui.Column{Name: "Status", Prose: true}), figures...)
	columns = append(columns, ui.Column{Name: "Time", Title: "Time of the search alone, first seed", Numeric: true})
	caption := "Deployments in the order in which they were placed"
	if v.result.jointly() {
		caption = "Deployments, all placed at once"
	}
	return &ui.Table{
		ID: "deployments", TestID: "deployment-table", Caption: caption,
		Columns: columns, Rows: v.picture.deployments,
	}
}

// differs reports whether the table of deployments compares a figure with the pinned
// result: four columns fit a phone.
func differs(f *figure.Figure) bool {
	return !f.Aside && f.Group != placementkind.OfCertificate
}

// addDeltas adds the differences of the figures of each deployment from the same strategy in
// the pinned result, behind its name.
func (v *View) addDeltas(rows []ui.Row, s *placementkind.StrategyReport) {
	pinned := v.Pinned()
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

// beforeFigures is how many cells a row of [deploymentRows] has before its figures.
const beforeFigures = 2

// deploymentRows takes the milliseconds of each search too, if they are known.
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

// placementTable lists the clusters of the jobs under the shown strategy. The first two cells of
// a row are DOT ids, which are shown on demand; the others have names.
func (v *View) placementTable() app.UI {
	return app.Div().Body(
		ui.Button("", "DOT ids").Aria("pressed", v.picture.ids).OnClick(func(app.Context, app.Event) { v.picture.ids = !v.picture.ids }),
		&ui.Table{
			ID: "placement-rows", TestID: "placement-table", Caption: "Where each job went" + v.drawnSeed(),
			Columns: v.placementColumns(),
			Rows:    v.picture.rows, OnRow: v.explainRow, Selected: v.why.row + 1,
		},
	)
}

// drawnSeed says which seed it is that is drawn and listed, where there are several.
func (v *View) drawnSeed() string {
	if seeds := v.result.strategies()[v.shown].Seeds; seeds > 1 {
		return fmt.Sprintf(" with seed %d, the first of %d", v.result.Inputs.options.Seed, seeds)
	}
	return ""
}

func (v *View) placementColumns() []ui.Column {
	columns := []ui.Column{
		{Name: "Id", Title: "DOT id of the job", Hidden: !v.picture.ids},
		{Name: "Cluster id", Title: "DOT id of its cluster", Hidden: !v.picture.ids},
		{Name: "Job"},
		{Name: "Cluster"},
	}
	if len(v.result.deployments()) > 1 {
		columns = append(columns, ui.Column{Name: "Deployment"})
	}
	if v.movedFrom(v.result.report(v.shown)) != nil {
		columns = append(columns, ui.Column{Name: "Before", Title: "DOT id of its earlier cluster, in the first strategy's or the pinned result, or before the improvement, if it moved"})
	}
	return columns
}

// placed is a job of a deployment.
type placed struct{ deployment, job string }

// movedFrom says where those jobs of a strategy were that stood elsewhere in the pinned
// result or before an improvement, or under the first strategy while the best is shown; nil
// without any of these.
func (v *View) movedFrom(s *placementkind.StrategyReport) map[placed]string {
	var moves []scenario.Move
	nowhere := "" // where a job stood that was not placed
	switch d, x := v.Difference(), v.improved; {
	case s == v.result.found():
		moves = s.MovesFrom(v.result.report(0))
	case d != nil:
		moves, nowhere = d.Moved, "not placed"
	case x != nil && v.shown == 0 && v.result.Inputs.SameWork(x.inputs):
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

// movedElements are the ids of these jobs in the drawing.
func movedElements(jobs []placedJob, from map[placed]string) (ids []string) {
	for i := range jobs {
		if from[jobs[i].placed] != "" {
			ids = append(ids, jobs[i].element())
		}
	}
	return ids
}

// explainRow goes to the step at which the job of a row was placed.
func (v *View) explainRow(_ app.Context, index int) {
	v.Tab = ui.PaneWhy
	if index < len(v.picture.jobs) {
		at := v.picture.jobs[index].at
		v.explainJob(at[0], at[1])
	}
}

// explainJob goes to the step at which a placed job was placed.
func (v *View) explainJob(deployment, job int) {
	d := v.result.report(v.shown).Deployments[deployment]
	if job < len(d.Placement) {
		v.askWhy(deployment, slices.Index(d.Order, d.Placement[job].Job))
	}
}

// clusterNames are the names of the clusters by id.
func clusterNames(o drawing.Overview) map[string]string {
	names := map[string]string{}
	for _, c := range o.Clusters {
		names[c.ID] = c.Name
	}
	return names
}

// jobName is the name of a job of a deployment, or its id.
func jobName(o drawing.Overview, deployment, job int, id string) string {
	if deployment < len(o.Jobs) && job < len(o.Jobs[deployment].IDs) && o.Jobs[deployment].IDs[job] == id {
		return o.Jobs[deployment].Names[job]
	}
	return id
}

// placedJob is a job with its cluster, both by id and by name.
type placedJob struct {
	placed
	at                         [2]int // numbers of the deployment, and of the job in it
	name, cluster, clusterName string
}

// element is the id of the job in the drawing.
func (j *placedJob) element() string { return drawing.JobID(j.at[0], j.at[1]) }

// placedJobs lists the jobs of all placed deployments, one after the other, in file order, with
// the names that the overview has.
func placedJobs(s *placementkind.StrategyReport, o drawing.Overview) (all []placedJob) {
	clusters := clusterNames(o)
	for i, d := range s.Deployments {
		for j, a := range d.Placement {
			all = append(all, placedJob{placed{d.Name, a.Job}, [2]int{i, j}, jobName(o, i, j, a.Job), a.Cluster, cmp.Or(clusters[a.Cluster], a.Cluster)})
		}
	}
	return all
}

// placementRows are the rows of these jobs, of one deployment or several. From is where
// those stood before that have moved; nil if nothing is pinned.
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

func sameRow(a, b ui.Row) bool { return a.Class == b.Class && slices.Equal(a.Cells, b.Cells) }
