package placement

import (
	"context"
	"path"
	"slices"
	"strings"

	"berth/app/lab"
	"berth/engine/dot"
	"berth/engine/placement/placementkind"
	"berth/wasm/bridge"
)

// check is the result of reading one graph. View.checks holds nil for a graph that is being read.
type check struct {
	sizes  []placementkind.GraphSize
	old    bool // result of the text before the last edit, shown until the new check arrives
	missed bool // the graph could not be read; checkAll tries again
}

// checkAll reads the unread graphs of the inputs, and drops the checks of removed graphs.
func (u *uploads) checkAll() {
	checks := make(map[*lab.Source]*check, len(u.checks))
	var unknown []*lab.Source
	for _, g := range u.view.Inputs.graphs() {
		c, known := u.checks[g]
		if c != nil && c.missed {
			c, known = nil, false
		}
		switch {
		case known && (c == nil || !c.old):
		case u.inParts(g), !known && len(u.view.Form.Found(g)) > 0: // only a run reports their errors
			c = &check{}
		default:
			unknown = append(unknown, g)
		}
		if c != nil {
			c.old = false
		}
		checks[g] = c
	}
	u.checks = checks
	u.check(unknown)
}

// inParts reports whether a graph is one of several files of a federation. Such a file
// may lack figures that the other files have, so only a run finds its errors.
func (u *uploads) inParts(g *lab.Source) bool {
	return len(u.view.Inputs.files) > 1 && slices.Contains(u.view.Inputs.files, g)
}

// check reads graphs of the inputs, each separately.
func (u *uploads) check(graphs []*lab.Source) {
	if len(graphs) == 0 {
		return
	}
	roles := make([]dot.Role, len(graphs))
	for i, g := range graphs {
		roles[i] = dot.Deployment
		if slices.Contains(u.view.Inputs.files, g) {
			roles[i] = dot.Federation
		}
	}
	u.lookAt(graphs, roles, u.view.Inputs.options.HowRead(), func(found []placementkind.Checked) {
		for i, g := range graphs {
			if c, wanted := u.checks[g]; wanted && (found[i].Unread == "" || c == nil) {
				u.takeCheck(g, found[i])
			}
		}
		u.view.Tell()
	})
}

func (u *uploads) takeCheck(g *lab.Source, found placementkind.Checked) {
	u.checks[g] = &check{sizes: found.Graphs, missed: found.Unread != ""}
	u.view.Form.KeepFound(g, found.Diagnostics)
}

// lookAt reads or generates graphs in a worker, and calls then with their sizes and
// errors.
func (u *uploads) lookAt(graphs []*lab.Source, roles []dot.Role, reading placementkind.Reading, then func([]placementkind.Checked)) {
	all, files := queries(graphs, roles, reading)
	lab.Ask(nil, u.view.Later, func() ([]placementkind.Checked, error) {
		return bridge.AskTool(u.view.Page, u.view.Engine, placementkind.CheckQuestion, all, files)
	}, func(found []placementkind.Checked, err error) {
		if err != nil {
			found = slices.Repeat([]placementkind.Checked{{Unread: err.Error()}}, len(graphs))
		}
		then(found)
	})
}

// queries returns a question about each graph in its role, and the texts of the graphs
// as files.
func queries(graphs []*lab.Source, roles []dot.Role, reading placementkind.Reading) ([]placementkind.CheckQuery, map[string]bridge.Blob) {
	all, files := make([]placementkind.CheckQuery, len(graphs)), map[string]bridge.Blob{}
	for i, g := range graphs {
		all[i] = placementkind.CheckQuery{Source: g.Source, Role: roles[i], Reading: reading}
		if g.Recipe != nil {
			continue
		}
		all[i].Source.Text, files[placementkind.TextFile(i)] = "", g.File
		if g.Text != "" {
			files[placementkind.TextFile(i)] = bridge.Moved([]byte(g.Text))
		}
	}
	return all, files
}

// look reads all graphs of inputs together.
func (u *uploads) look(ctx context.Context, in *inputs) (lab.Looked[*inputs], error) {
	read, err := u.view.Engine.Read(ctx, in.Input())
	return lab.Looked[*inputs]{Inputs: in, Read: read}, err
}

// checked takes the sizes of the graphs from the report of a run.
func (u *uploads) checked(r *result) {
	report := r.first.Report
	for _, g := range r.Inputs.graphs() {
		c := &check{}
		switch {
		case len(r.Inputs.files) == 1 && g == r.Inputs.files[0]:
			f := placementkind.ReportOf(report).Federation
			c.sizes = []placementkind.GraphSize{{Name: f.Name, Nodes: f.Clusters, Edges: f.Links}}
		case slices.Contains(r.Inputs.files, g): // the report covers all files together
			if old := u.checks[g]; old != nil {
				c.sizes = old.sizes
			}
		default:
			c.sizes = sizesOf(g, placementkind.ReportOf(report).Deployments)
		}
		u.checks[g] = c
	}
}

// sizesOf returns the sizes of the deployments from source g. The names of several deployments in
// one source end with "#" and a number.
func sizesOf(g *lab.Source, all []placementkind.DeploymentSummary) []placementkind.GraphSize {
	var sizes []placementkind.GraphSize
	name := path.Base(g.Name)
	for _, d := range all {
		if d.Name == name || strings.HasPrefix(d.Name, name+"#") {
			sizes = append(sizes, placementkind.GraphSize{Name: d.Name, Nodes: d.Jobs, Edges: d.Dependencies})
		}
	}
	return sizes
}
