package placement

import (
	"cmp"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement/drawing"
)

// Views of a result that are not drawings.
const (
	clustersView     drawing.View = "clusters"
	dependenciesView drawing.View = "dependencies"
	playView         drawing.View = "play"
)

// pictureViews are the tabs of the result pane. Result, Clusters, Dependencies and
// Neighbours show the placement, Play shows the search, and the others show the inputs.
var pictureViews = []ui.Tab{
	{ID: string(drawing.ResultView), Title: "Result"},
	{ID: string(clustersView), Title: "Clusters"},
	{ID: string(dependenciesView), Title: "Dependencies"},
	{ID: string(drawing.NeighboursView), Title: "Neighbours"},
	{ID: string(playView), Title: "Play"},
	{ID: string(drawing.DeploymentView), Title: "Deployment"},
	{ID: string(drawing.FederationView), Title: "Federation"},
	{ID: string(nodesView), Title: "Nodes"},
}

// views returns the tabs that apply to the inputs: Nodes only for dumps and, without a deployment,
// nothing else.
func (p *picture) views() []ui.Tab {
	last := len(pictureViews) - 1
	switch {
	case p.view.Inputs.alone():
		return pictureViews[last:]
	case slices.ContainsFunc(p.view.Inputs.files, (*lab.Source).Kubernetes):
		return pictureViews
	}
	return pictureViews[:last]
}

// viewKeys are the keys after "v" that select the tabs of pictureViews, in order.
const viewKeys = "rcdnpgfk"

// crowd is the smallest number of jobs for which a result shows figures first, because a drawing of
// so many jobs is hard to read.
const crowd = 40

const viewKey = "berth.placement.view" // key of the browser's storage: the user's view for crowded results

func isDrawn(view drawing.View) bool {
	return view != clustersView && view != dependenciesView && view != playView && view != nodesView
}

// pictureView returns the view in the result pane.
func (p *picture) pictureView() drawing.View {
	if p.view.Inputs.alone() {
		return nodesView
	}
	return cmp.Or(p.chosen, p.viewBySize())
}

// viewBySize returns the view to show until the user chooses one. For a dump, the stage shows the
// nodes.
func (p *picture) viewBySize() drawing.View {
	if p.view.Stage.OnStage() && p.view.Inputs.ofDumps() {
		return nodesView
	}
	if !p.crowded {
		return drawing.ResultView
	}
	stored := ui.Stored(viewKey)
	if showsPlacement(stored) {
		return drawing.View(stored)
	}
	return clustersView
}

func showsPlacement(id string) bool {
	return slices.ContainsFunc(pictureViews[:4], func(t ui.Tab) bool { return t.ID == id })
}

func (p *picture) selectView(_ app.Context, id string) {
	p.chosen = drawing.View(id)
	if p.crowded && showsPlacement(id) {
		ui.Store(viewKey, id)
	}
	p.view.Address.Located()
	p.view.play.wantPlayed()
	p.view.nodes.wantNodes()
	if p.view.result != nil && isDrawn(p.chosen) && (p.asked.Waits() || p.of.View != p.chosen || p.chosen == drawing.NeighboursView) {
		p.draw()
	}
}

// lookAround draws the neighbours of a job or cluster.
func (p *picture) lookAround(id string) {
	shell.Announce(p.view.Page, "Drawing the neighbours of "+p.nameOf(id)+".")
	p.drawAround(id)
}

func (p *picture) drawAround(id string) {
	p.around = id
	p.selectView(p.view.Page, string(drawing.NeighboursView))
}

// center returns the element whose neighbours are drawn: the user's choice, the
// explained job, or the first job of the deployment.
func (p *picture) center() string {
	if d, _, ok := drawing.JobOf(p.around); p.around != "" && (!ok || p.deployment < 0 || d == p.deployment) {
		return p.around
	}
	if p.view.why.element != "" && (p.deployment < 0 || p.view.why.deployment == p.deployment) {
		return p.view.why.element
	}
	return drawing.JobID(max(0, p.deployment), 0)
}

// jobs counts the jobs of all deployments.
func (r *result) jobs() int {
	n := 0
	for _, d := range r.deployments() {
		n += d.Jobs
	}
	return n
}

func (p *picture) viewCommands() []shell.Command {
	all := []shell.Command{{ID: "find-element", Name: "Find a job or a cluster in the result", Keys: []string{"/"}, Do: func(ctx app.Context) {
		p.view.Stage.Work(ui.PaneResult)
		ui.Focus(ctx, findID)
	}}}
	for i, t := range pictureViews {
		all = append(all, shell.Command{ID: "view-" + t.ID, Name: "Show the tab " + t.Title, Keys: []string{"v " + viewKeys[i:i+1]}, Do: func(ctx app.Context) {
			p.view.Tab = ui.PaneResult
			p.selectView(ctx, t.ID)
		}})
	}
	return all
}
