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

// check is the result of reading one graph; there is none while the graph is being read.
type check struct {
	sizes  []placementkind.GraphSize
	old    bool // of the text before the last edit, shown until the new check is there
	missed bool // it could not be looked at; the next occasion is taken
}

// checkAll looks at every graph of the inputs that was not looked at yet, and
// forgets those that are gone.
func (v *View) checkAll() {
	checks := make(map[*lab.Source]*check, len(v.checks))
	var unknown []*lab.Source
	for _, g := range v.Inputs.graphs() {
		c, known := v.checks[g]
		if c != nil && c.missed {
			c, known = nil, false
		}
		switch {
		case known && (c == nil || !c.old):
		case v.inParts(g), !known && len(v.Found(g)) > 0: // a run has told
			c = &check{}
		default:
			unknown = append(unknown, g)
		}
		if c != nil {
			c.old = false
		}
		checks[g] = c
	}
	v.checks = checks
	v.check(unknown)
}

// inParts reports whether a graph is one of several files of a federation, which may lack
// figures that the others have: only the run finds its errors.
func (v *View) inParts(g *lab.Source) bool {
	return len(v.Inputs.files) > 1 && slices.Contains(v.Inputs.files, g)
}

// check looks at graphs of the inputs, each by itself.
func (v *View) check(graphs []*lab.Source) {
	if len(graphs) == 0 {
		return
	}
	roles := make([]dot.Role, len(graphs))
	for i, g := range graphs {
		roles[i] = dot.Deployment
		if slices.Contains(v.Inputs.files, g) {
			roles[i] = dot.Federation
		}
	}
	v.lookAt(graphs, roles, v.Inputs.options.HowRead(), func(found []placementkind.Checked) {
		for i, g := range graphs {
			if c, wanted := v.checks[g]; wanted && (found[i].Unread == "" || c == nil) {
				v.takeCheck(g, found[i])
			}
		}
		v.Tell()
	})
}

// takeCheck stores the result of reading a graph.
func (v *View) takeCheck(g *lab.Source, found placementkind.Checked) {
	v.checks[g] = &check{sizes: found.Graphs, missed: found.Unread != ""}
	v.KeepFound(g, found.Diagnostics)
}

// lookAt reads or generates graphs, and calls then with their roles and errors.
func (v *View) lookAt(graphs []*lab.Source, roles []dot.Role, reading placementkind.Reading, then func([]placementkind.Checked)) {
	all, files := queries(graphs, roles, reading)
	lab.Ask(nil, v.Later, func() ([]placementkind.Checked, error) {
		return bridge.AskTool(v.Page, v.Engine, placementkind.CheckQuestion, all, files)
	}, func(found []placementkind.Checked, err error) {
		if err != nil {
			found = slices.Repeat([]placementkind.Checked{{Unread: err.Error()}}, len(graphs))
		}
		then(found)
	})
}

// queries are questions about graphs with their roles, and their texts as files.
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
func (v *View) look(ctx context.Context, in *inputs) (lab.Looked[*inputs], error) {
	read, err := v.Engine.Read(ctx, in.Input())
	return lab.Looked[*inputs]{Inputs: in, Read: read}, err
}

// checked takes over the sizes of the graphs from a run.
func (v *View) checked(r *result) {
	report := r.first.Report
	for _, g := range r.Inputs.graphs() {
		c := &check{}
		switch {
		case len(r.Inputs.files) == 1 && g == r.Inputs.files[0]:
			f := placementkind.ReportOf(report).Federation
			c.sizes = []placementkind.GraphSize{{Name: f.Name, Nodes: f.Clusters, Edges: f.Links}}
		case slices.Contains(r.Inputs.files, g): // the report is of all files together
			if old := v.checks[g]; old != nil {
				c.sizes = old.sizes
			}
		default:
			c.sizes = sizesOf(g, placementkind.ReportOf(report).Deployments)
		}
		v.checks[g] = c
	}
}

// sizesOf picks the deployments that came from one source: one with its name,
// or several with a number behind it.
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
