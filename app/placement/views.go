package placement

import (
	"cmp"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement/drawing"
)

// The views of a result that are no drawings.
const (
	clustersView     drawing.View = "clusters"
	dependenciesView drawing.View = "dependencies"
	playView         drawing.View = "play"
)

// pictureViews are the views of the result pane: result, clusters, dependencies and neighbours
// show the placement, play the search, and the others the inputs.
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

// views are the views that the inputs have: only files of nodes have nodes, and without a
// deployment nothing else.
func (v *View) views() []ui.Tab {
	last := len(pictureViews) - 1
	switch {
	case v.Inputs.alone():
		return pictureViews[last:]
	case slices.ContainsFunc(v.Inputs.files, isDump):
		return pictureViews
	}
	return pictureViews[:last]
}

// viewKeys are typed after "v", one for each view.
const viewKeys = "rcdnpgfk"

// crowd is the least number of jobs that are shown by figures unless the user asks for a drawing,
// which is hard to read with so many.
const crowd = 40

const viewKey = "berth.placement.view" // in the browser's memory: how crowded results are shown

func isDrawn(view drawing.View) bool {
	return view != clustersView && view != dependenciesView && view != playView && view != nodesView
}

// pictureView is the view that the result pane shows.
func (v *View) pictureView() drawing.View {
	if v.Inputs.alone() {
		return nodesView
	}
	return cmp.Or(v.picture.chosen, v.viewBySize())
}

// viewBySize is the view until the user chooses one. Of a dump the stage shows the nodes.
func (v *View) viewBySize() drawing.View {
	if v.OnStage() && v.Inputs.ofDumps() {
		return nodesView
	}
	if !v.picture.crowded {
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

func (v *View) selectView(_ app.Context, id string) {
	p := &v.picture
	p.chosen = drawing.View(id)
	if p.crowded && showsPlacement(id) {
		ui.Store(viewKey, id)
	}
	v.Located()
	v.wantPlayed()
	v.wantNodes()
	if v.result != nil && isDrawn(p.chosen) && (p.asked.Waits() || p.of.View != p.chosen || p.chosen == drawing.NeighboursView) {
		v.draw()
	}
}

// lookAround draws the neighbours of a job or cluster.
func (v *View) lookAround(id string) {
	shell.Announce(v.Page, "Drawing the neighbours of "+v.picture.nameOf(id)+".")
	v.drawAround(id)
}

func (v *View) drawAround(id string) {
	v.picture.around = id
	v.selectView(v.Page, string(drawing.NeighboursView))
}

// around is the element whose neighbours are drawn.
func (v *View) around() string {
	if d, _, ok := drawing.JobOf(v.picture.around); v.picture.around != "" && (!ok || v.picture.deployment < 0 || d == v.picture.deployment) {
		return v.picture.around
	}
	if v.why.element != "" && (v.picture.deployment < 0 || v.why.deployment == v.picture.deployment) {
		return v.why.element
	}
	return drawing.JobID(max(0, v.picture.deployment), 0)
}

// jobs is how many there are in all deployments.
func (r *result) jobs() int {
	n := 0
	for _, d := range r.deployments() {
		n += d.Jobs
	}
	return n
}

// viewCommands switch the views and begin the search.
func (v *View) viewCommands() []shell.Command {
	all := []shell.Command{{ID: "find-element", Name: "Find a job or a cluster in the result", Keys: []string{"/"}, Do: func(ctx app.Context) {
		v.Work(ui.PaneResult)
		ui.Focus(ctx, findID)
	}}}
	for i, t := range pictureViews {
		all = append(all, shell.Command{ID: "view-" + t.ID, Name: "Show the tab " + t.Title, Keys: []string{"v " + viewKeys[i:i+1]}, Do: func(ctx app.Context) {
			v.Tab = ui.PaneResult
			v.selectView(ctx, t.ID)
		}})
	}
	return all
}
