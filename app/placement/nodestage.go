package placement

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/kube"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// nodesView shows the nodes of a Kubernetes dump with their pods, below the pods that
// wait.
const nodesView drawing.View = "nodes"

// ofDumps reports whether all deployments come from the dumps in the federation's
// files.
func (in *inputs) ofDumps() bool {
	return slices.ContainsFunc(in.files, (*lab.Source).Kubernetes) && !slices.ContainsFunc(in.deployments, func(d *lab.Source) bool {
		return !slices.ContainsFunc(in.files, func(g *lab.Source) bool { return g.Kubernetes() && workloadsOf(g.Name) == d.Name })
	})
}

// alone reports whether dumps are the only inputs, so that there is nothing to place.
func (in *inputs) alone() bool { return len(in.deployments) == 0 && in.ofDumps() }

// wantNodes asks why pods are pending, if the view of nodes is on screen and the question about
// this result is new.
func (n *nodes) wantNodes() {
	if n.view.result != nil && n.view.picture.pictureView() == nodesView && n.view.clusterAsk.of != n.view.result.first {
		n.view.clusterAsk.askAbout(placementkind.AskPending)
	}
}

// said returns the answer about the shown result; nil before it arrives.
func (n *nodes) said() *placementkind.ClusterAnswer {
	if x := &n.view.clusterAsk; n.view.result != nil && x.of == n.view.result.first {
		return x.answer
	}
	return nil
}

// nodesHeadline makes the headline from the answer.
func (n *nodes) nodesHeadline() headline {
	h := headline{text: "Asking the scheduler …", other: -1}
	if a := n.said(); a != nil {
		h.text, h.details = a.Headline, a.Details
	} else if n.view.clusterAsk.problem != "" {
		h.text = "The scheduler was not asked. " + n.view.clusterAsk.problem
	}
	return h
}

// supposed names the drain, failure or rollout of the last question; "" for none.
func (x *askCluster) supposed() string {
	switch x.query.Action {
	case placementkind.AskDrain:
		return "drain of " + strings.Join(x.query.Nodes, ", ")
	case placementkind.AskFail:
		return "failure of " + x.query.Zone
	case placementkind.AskRollout:
		return "rollout"
	}
	return ""
}

// drains reports whether the last question drains this node.
func (x *askCluster) drains(name string) bool {
	return x.query.Action == placementkind.AskDrain && slices.Contains(x.query.Nodes, name)
}

// pressNode asks what happens if a node is drained. A second press goes back to the
// pending pods.
func (n *nodes) pressNode(name string) {
	if n.view.clusterAsk.drains(name) {
		n.view.clusterAsk.askAbout(placementkind.AskPending)
		return
	}
	query := n.view.clusterAsk.clusterQuery(placementkind.AskDrain)
	query.Nodes = []string{name}
	if n.view.Stage.OnStage() {
		n.view.Tab = ui.PaneWhy
	}
	n.view.clusterAsk.askCluster(query)
}

// nodeGroup is a zone or pool with its nodes as they are drawn.
type nodeGroup struct {
	name  string
	zone  string // zone or pool of the nodes; "" for none
	nodes []drawnNode
	cells ui.Markup // all nodes as cells if some have no bar; "" otherwise
	left  int       // number of nodes without a bar
}

// drawnNode is a node and its bar.
type drawnNode struct {
	*kube.NodeUse
	id  string // name of the node in questions
	bar ui.Markup
}

// Limits of the nodes with bars and of the groups that are drawn.
const (
	mostBars   = 240
	mostGroups = 40
)

// nodeGroups groups nodes by zone or pool, in the order of their names. If a group has too many
// nodes for bars, the nodes with changes come first.
func nodeGroups(all []kube.NodeUse) []nodeGroup {
	several := slices.ContainsFunc(all, func(n kube.NodeUse) bool { return n.Cluster != all[0].Cluster })
	by := map[string][]drawnNode{}
	var groups []nodeGroup
	for i := range all {
		n := drawnNode{NodeUse: &all[i], id: all[i].Name}
		name := n.Group
		if several {
			n.id, name = n.Cluster+"/"+n.Name, strings.TrimSuffix(n.Cluster+" · "+n.Group, " · ")
		}
		if by[name] == nil {
			groups = append(groups, nodeGroup{name: name, zone: n.Group})
		}
		by[name] = append(by[name], n)
	}
	if len(groups) == 1 { // if the only zone failed, no node would be left
		groups[0].zone = ""
	}
	sort.Slice(groups, func(i, j int) bool { return groups[i].name < groups[j].name })
	for i := range groups {
		g := &groups[i]
		g.nodes = by[g.name]
		if most := max(1, mostBars/min(len(groups), mostGroups)); len(all) > mostBars && len(g.nodes) > most {
			g.cells, g.left = nodeCells(g.nodes), len(g.nodes)-most
			sort.SliceStable(g.nodes, func(i, j int) bool { return g.nodes[j].news() < g.nodes[i].news() })
			g.nodes = g.nodes[:most]
		}
		for k := range g.nodes {
			g.nodes[k].bar = bar(g.nodes[k].segments())
		}
	}
	return groups
}

// news ranks nodes for the picture: nodes with new pods first, then closed nodes.
func (n *drawnNode) news() int {
	switch {
	case len(n.Arrived) > 0:
		return 2
	case n.Closed != "":
		return 1
	}
	return 0
}

func (n *drawnNode) segments() []segment {
	all := make([]segment, 0, len(n.Pods)+len(n.Arrived))
	for i, part := range slices.Concat(n.Pods, n.Arrived) {
		all = append(all, segment{share: float64(part) / kube.Full, found: i >= len(n.Pods)})
	}
	return all
}

// nodeCells draws each node as a cell; a darker cell is fuller.
func nodeCells(nodes []drawnNode) ui.Markup {
	const columns, shades = 100, 5
	paths := map[string]*strings.Builder{}
	var order []string
	for i := range nodes {
		n := &nodes[i]
		class := fmt.Sprintf("use-%d", min(shades-1, n.Used*shades/kube.Full))
		switch {
		case len(n.Arrived) > 0:
			class = "arrived"
		case n.Closed != "":
			class = "closed"
		}
		if paths[class] == nil {
			paths[class], order = &strings.Builder{}, append(order, class)
		}
		fmt.Fprintf(paths[class], "M%d,%dh8v8h-8z", i%columns*10, i/columns*10)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="node-cells" viewBox="0 0 %d %d" preserveAspectRatio="xMinYMin" role="img" aria-label="%s, each a cell, the darker the fuller">`, columns*10, (len(nodes)+columns-1)/columns*10, ui.Counted(len(nodes), "node"))
	for _, class := range order {
		fmt.Fprintf(&b, `<path class="%s" d="%s"/>`, class, paths[class])
	}
	return ui.Markup(b.String() + "</svg>")
}

func (n *nodes) nodesPane() app.UI {
	class := n.view.Form.Dimmed("nodes-pane")
	if n.view.clusterAsk.asked.Waits() {
		class = "nodes-pane dimmed"
	}
	pane := app.Div().Class(class).Hidden(n.view.picture.pictureView() != nodesView)
	a := n.said()
	if n.view.picture.pictureView() != nodesView || a == nil {
		return pane
	}
	x := &n.view.clusterAsk
	groups := lab.Once(n.view.Lab, a, func() []nodeGroup { return nodeGroups(x.nodes) })
	drawn := groups[:min(len(groups), mostGroups)]
	parts := []app.UI{n.waitingList(a.Waiting)}
	for i := range drawn {
		parts = append(parts, n.nodeGroup(&drawn[i]))
	}
	if more := groups[len(drawn):]; len(more) > 0 {
		parts = append(parts, app.P().Class("hint").Text(ui.Counted(len(more), "more zone or pool")+" not drawn."))
	}
	return pane.DataSet("size", sizeOf(len(x.nodes))).OnKeyDown(func(_ app.Context, e app.Event) {
		if e.Get("key").String() == "Escape" && x.supposed() != "" {
			n.view.clusterAsk.askAbout(placementkind.AskPending)
		}
	}).Body(parts...)
}

// sizeOf returns the style class of a picture with this number of nodes. Fewer nodes are drawn
// larger.
func sizeOf(nodes int) string {
	switch {
	case nodes <= 12:
		return "few"
	case nodes <= 60:
		return "some"
	}
	return "many"
}

// drainedNote draws the button that undoes the supposed drain, failure or rollout. Without one, it
// explains the picture.
func (n *nodes) drainedNote() app.UI {
	supposed := n.view.clusterAsk.supposed()
	if supposed == "" {
		return app.Span().Class("hint").Text("Each part of a bar is a pod, by its share of the scarcest resource. Press a node to drain it.")
	}
	return app.Span().Body(
		ui.Button("undo", "Take the "+show.Text(supposed)+" back").DataSet("testid", "drain-back").OnClick(func(app.Context, app.Event) { n.view.clusterAsk.askAbout(placementkind.AskPending) }),
		app.Span().Class("hint").Text(" Pods arrive where bars are orange."),
	)
}

// mostWaiting limits the workloads above the nodes. The table lists all of them.
const mostWaiting = 12

func (n *nodes) waitingList(all []placementkind.Waiting) app.UI {
	shown := all[:min(len(all), mostWaiting)]
	items := make([]app.UI, len(shown))
	for i := range shown {
		w := &shown[i]
		items[i] = app.Li().Class("pending-workload").DataSet("testid", "pending-workload").Body(
			app.Strong().Text(show.Text(w.Name)), app.Span().Class("figures").Text(ui.Counted(w.Pods, "pod")),
			app.P().Text(show.Words(w.Why)),
			app.If(w.Help != "", func() app.UI {
				return app.P().Body(app.Text("Would help: "+show.Words(w.Help)+" "), app.If(w.Does != "", func() app.UI { return app.Code().Text(w.Does) }))
			}),
		)
	}
	if more := len(all) - len(shown); more > 0 {
		items = append(items, app.Li().Class("hint").Text(ui.Counted(more, "more workload")+" in the table."))
	}
	return app.Ul().Class("pending-workloads").Aria("label", "Pods that wait").Hidden(len(items) == 0).Body(items...)
}

func (n *nodes) nodeGroup(g *nodeGroup) app.UI {
	buttons := make([]app.UI, len(g.nodes))
	for i := range g.nodes {
		buttons[i] = n.nodeButton(&g.nodes[i])
	}
	title := ui.Counted(len(g.nodes)+g.left, "node")
	if g.name != "" {
		title = show.Text(g.name) + " · " + title
	}
	return app.Section().Class("node-group").Body(
		app.Div().Class("node-group-head").Body(app.H2().Text(title), app.If(g.zone != "", func() app.UI {
			return ui.Button("", "What if "+show.Text(g.zone)+" fails?").Class("fail-zone").DataSet("testid", "fail-zone").OnClick(func(app.Context, app.Event) {
				query := n.view.clusterAsk.clusterQuery(placementkind.AskFail)
				query.Zone = g.zone
				n.view.clusterAsk.askCluster(query)
			}, app.EventScope("fail", g.zone))
		})),
		app.If(g.cells != "", func() app.UI {
			return app.Div().Body(app.Raw(string(g.cells)), app.P().Class("hint").Text(ui.Counted(g.left, "node")+" only as cells. Drain one by its name under Ask more."))
		}),
		app.Div().Class("cluster-nodes").Body(buttons...),
	)
}

func (n *nodes) nodeButton(cell *drawnNode) app.UI {
	class, state := "cluster-node", cmp.Or(cell.Closed, cell.Taint)
	switch {
	case cell.Broken:
		class += " broken"
	case cell.Closed != "":
		class += " closed"
	}
	drained := n.view.clusterAsk.drains(cell.id)
	if drained {
		state = "drained"
	}
	share := ui.Percent(float64(cell.Used)/kube.Full) + " of " + cell.Resource
	if arrived := len(cell.Arrived); arrived > 0 {
		state = strings.TrimPrefix(state+" · +"+ui.Counted(arrived, "pod"), " · ")
	}
	return app.Button().Type("button").Class(class).DataSet("testid", "cluster-node").DataSet("node", cell.Name).Aria("pressed", drained).
		Title(fmt.Sprintf("%s: %s, %s. Free: %s", cell.Name, ui.Counted(len(cell.Pods)+len(cell.Arrived), "pod"), share, cell.Left)).
		Body(
			app.Span().Class("node-name").Text(show.Text(cell.Name)),
			app.Raw(string(cell.bar)),
			app.Span().Class("node-share").Text(show.Text(share)),
			app.Span().Class("node-state").Text(show.Words(state)),
		).OnClick(func(app.Context, app.Event) { n.pressNode(cell.id) }, app.EventScope("node", cell.id))
}
