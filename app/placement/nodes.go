package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/kube"
	"berth/engine/kube/handover"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/show"
)

// nodes is the state of the panel that shows the nodes of one cluster and opens them in
// QoS.
type nodes struct {
	view *View

	cluster string                           // the shown cluster; "" for none
	last    *lab.Known[*placementkind.Hosts] // shown while a new answer is awaited
	classes map[string]string                // the user's choices of service classes, by priority class
}

// clusterRows lists the free capacity of each cluster.
func clusterRows(all []placementkind.ClusterState) []ui.Row {
	rows := make([]ui.Row, len(all))
	for i := range all {
		c := &all[i]
		fit := "aggregate only"
		if knowsNodes(*c) {
			fit = ui.Counted(c.Nodes, "node")
		}
		fragmented := ui.Cell{Text: ui.Formed(figure.Part, c.Fragmentation), Value: float64(c.Fragmentation)}
		rows[i].Cells = []ui.Cell{ui.Text(c.Cluster), ui.Text(fit), fragmented, ui.Text(strings.Join(amounts(c, c), ", "))}
	}
	return rows
}

// knowsNodes reports whether jobs were placed on the nodes of a cluster, not only on its total
// amounts.
func knowsNodes(c placementkind.ClusterState) bool { return c.Fit == "nodes" }

// clusterTable lists the clusters if the result knows nodes. Pressing a row shows the nodes of that
// cluster.
func (n *nodes) clusterTable() app.UI {
	if len(n.view.picture.clusters) == 0 {
		return ui.None()
	}
	all := n.view.result.report(n.view.shown).Clusters
	return &ui.Table{
		ID: "clusters", TestID: "clusters", Caption: "Clusters after placement; press one to see its nodes" + n.view.comparison.drawnSeed(),
		Columns: []ui.Column{
			{Name: "Cluster"}, {Name: "Nodes", Title: "Nodes that take pods"},
			{Name: "Fragmented", Title: "Share of free CPU on nodes without room for the median pod", Numeric: true},
			{Name: "Left", Prose: true},
		},
		Rows: n.view.picture.clusters, OnRow: func(_ app.Context, index int) { n.cluster = all[index].Cluster },
		Selected: 1 + slices.IndexFunc(all, func(c placementkind.ClusterState) bool { return c.Cluster == n.cluster }),
	}
}

// hosts returns the nodes of the chosen cluster; nil if the shown result knows none.
func (n *nodes) hosts() *lab.Known[*placementkind.Hosts] {
	if s := n.view.whatIf.shownReport(); s == nil || !slices.ContainsFunc(s.Clusters, func(c placementkind.ClusterState) bool { return c.Cluster == n.cluster && knowsNodes(c) }) {
		return nil
	}
	run, strategy := n.view.result.at(n.view.shown)
	return lab.KnowOf(n.view.Lab, run, placementkind.NodesQuestion, placementkind.HostsQuery{Strategy: strategy, Cluster: n.cluster}).Or(&n.last)
}

func (n *nodes) nodesPanel() app.UI {
	known := n.hosts()
	panel := app.Div().Class("nodes").DataSet("testid", "nodes").Hidden(known == nil)
	switch {
	case known == nil:
		return panel
	case known.Problem != "":
		return panel.Body(ui.Problem(known.Problem))
	case known.Answer == nil || known.Answer.Cluster != n.cluster:
		return panel.Body(app.P().Text("Loading the nodes …"))
	}
	h := known.Answer
	columns := []ui.Column{{Name: "Node"}, {Name: "State", Prose: true}}
	for _, resource := range h.Resources {
		columns = append(columns, ui.Column{Name: resource + " free", Title: "Free capacity of the node, in " + unitOf(resource), Numeric: true})
	}
	columns = append(columns, ui.Column{Name: "Placed here", Prose: true}, ui.Column{Name: "Other pods", Title: "Pods that were on the node before", Numeric: true})
	return panel.Body(
		app.H3().Text("Nodes of "+show.Text(h.Cluster)),
		app.P().Class("figures").Text(hostsText(h)),
		&ui.Table{ID: "nodes-table", TestID: "nodes-table", Caption: "Free capacity of each node; press one to see what changes if it is drained",
			Columns: columns, Rows: lab.Once(n.view.Lab, h, func() []ui.Row { return hostRows(h) }), OnRow: func(_ app.Context, i int) { n.toggleDrain(h, i) }},
		n.serviceFields(h),
	)
}

// toggleDrain adds the what-if that drains a node, or removes it.
func (n *nodes) toggleDrain(h *placementkind.Hosts, index int) {
	name := h.Cluster + "/" + h.Hosts[index].Name
	if strings.ContainsAny(name, " \"") {
		n.view.Form.Refused[whatIfID] = "This name has a space or a quotation mark, so a press cannot drain it: type the change."
		return
	}
	change := "drain " + name
	if i := slices.Index(n.view.Inputs.options.WhatIf, change); i >= 0 {
		n.view.whatIf.removeWhatIf(i)
		return
	}
	n.view.Edit(change, func(in *inputs) { in.options.WhatIf = append(in.options.WhatIf, change) })
}

// hostsText summarises a cluster in a sentence.
func hostsText(h *placementkind.Hosts) string {
	text := fmt.Sprintf("%d of %s take pods", h.Nodes, ui.Counted(len(h.Hosts), "node"))
	if h.Fragmentation.Defined() {
		text += " · " + ui.Percent(float64(h.Fragmentation)) + " of free CPU on nodes too small for the median pod"
	}
	if h.Unpacked != "" {
		text += " · unknown which pod is on which node: " + h.Unpacked
	}
	return show.Words(text)
}

// unitOf names the unit of a resource in tables of nodes.
func unitOf(resource string) string {
	switch resource {
	case kube.CPU:
		return "millicores"
	case kube.Memory, kube.Storage:
		return "MiB"
	}
	return "pieces"
}

func hostRows(h *placementkind.Hosts) []ui.Row {
	rows := make([]ui.Row, len(h.Hosts))
	for i := range h.Hosts {
		host := &h.Hosts[i]
		row := &rows[i]
		row.Cells = []ui.Cell{ui.Text(host.Name), ui.Text(stateText(host))}
		for r, a := range host.Amounts {
			unit := 1.0
			if unitOf(h.Resources[r]) == "MiB" {
				unit = 1 << 20
			}
			cell := ui.Figure(float64(a.Free) / unit)
			cell.Title = fmt.Sprintf("%s of %s %s", ui.Exact(float64(a.Free)/unit), ui.Exact(float64(a.Has)/unit), unitOf(h.Resources[r]))
			if a.Has > 0 {
				cell.After = chart.InlineBar(max(0, float64(a.Free)/float64(a.Has)))
			}
			row.Cells = append(row.Cells, cell)
		}
		row.Cells = append(row.Cells, ui.Text(jobsText(host.Jobs)), ui.Cell{Text: ui.Count(int64(host.Running)), Value: float64(host.Running)})
		if host.Closed != "" {
			row.Class = "refused"
		}
	}
	return rows
}

// stateText lists the reasons that keep pods off a node.
func stateText(h *placementkind.Host) string {
	words := slices.Clone(h.Taints)
	if h.Closed != "" {
		words = append([]string{h.Closed}, words...)
	}
	return cmp.Or(strings.Join(words, ", "), "takes pods")
}

func jobsText(jobs []placementkind.HostJob) string {
	words := make([]string, len(jobs))
	for i, j := range jobs {
		words[i] = j.Job
		if j.Pods > 1 {
			words[i] += fmt.Sprintf(" ×%d", j.Pods)
		}
	}
	return strings.Join(words, ", ")
}

// serviceFields draws the fields that open the placement on this cluster in QoS, to
// simulate its availability: a service class for each priority class.
func (n *nodes) serviceFields(h *placementkind.Hosts) app.UI {
	if len(h.Priorities) == 0 {
		return app.P().Class("hint").Text("No job with pods was placed here.")
	}
	names := new(qoskind.Document).ClassNames()
	var rows []app.UI
	for i, priority := range h.Priorities {
		id := fmt.Sprintf("class-of-%d", i)
		chosen := n.classOf(priority, names)
		rows = append(rows, app.Tr().Body(
			app.Td().Body(app.Label().For(id).Text(cmp.Or(show.Text(priority), "none"))),
			app.Td().Body(ui.Select(id, chosen, func(class string) {
				n.classes[priority] = class
			}, ui.Named(names)...).DataSet("testid", "class-of")),
		))
	}
	return app.Div().Class("service").Body(
		ui.Scrolled("table", "Service classes", ui.Plain("What availability would this placement give?",
			[]string{"Priority class", "Service class"}, rows...)),
		ui.Button("right", "Simulate its service").DataSet("testid", "open-service").
			Title("Open these nodes as hosts and these jobs as controllers in QoS; nodes that the what-if drains or fails go down after a quarter of the time").
			OnClick(func(app.Context, app.Event) { n.openService(h) }),
	)
}

// classOf returns the service class for a priority class: the user's choice, the class of the same
// name, or the last and least important class.
func (n *nodes) classOf(priority string, names []string) string {
	if chosen := n.classes[priority]; chosen != "" {
		return chosen
	}
	if slices.Contains(names, priority) {
		return priority
	}
	return names[len(names)-1]
}

// openService opens the cluster as a scenario of QoS.
func (n *nodes) openService(h *placementkind.Hosts) {
	run, strategy := n.view.result.at(n.view.shown)
	q := handover.ClusterQuery{Strategy: strategy, Cluster: h.Cluster, Name: h.Cluster, Classes: map[string]string{}}
	if name := n.view.result.Inputs.name; name != "" {
		q.Name = name + ": " + q.Cluster
	}
	names := new(qoskind.Document).ClassNames()
	for _, priority := range h.Priorities {
		q.Classes[priority] = n.classOf(priority, names)
	}
	lab.AskOf(n.view.Lab, nil, run, handover.ClusterQuestion, q, func(s scenario.Scenario, err error) {
		if err != nil {
			n.view.Complain("The cluster could not be opened in QoS", err)
			return
		}
		lab.Open(n.view.Page, "open the service of "+q.Cluster, s)
	})
}
