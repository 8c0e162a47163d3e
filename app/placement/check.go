package placement

import (
	"context"
	"path"
	"slices"
	"strings"

	"berth/app/lab"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/placement/placementkind"
	"berth/wasm/bridge"
)

// check is what is known about one graph; until it is there, the graph is being
// looked at.
type check struct {
	sizes       []placementkind.GraphSize
	diagnostics diag.List
	old         bool // of the text before the last edit, shown until the new check is there
	missed      bool // it could not be looked at; the next occasion is taken
}

// checkAll looks at every graph of the inputs that was not looked at yet, and
// forgets those that are gone.
func (v *View) checkAll() {
	checks := make(map[*lab.Source]*check, len(v.checks))
	for _, g := range v.Inputs.graphs() {
		c, known := v.checks[g]
		if c != nil && c.missed {
			delete(v.checks, g)
			c, known = nil, false
		}
		if !known || c != nil && c.old {
			v.check(g)
		}
		if c != nil {
			c.old = false
		}
		checks[g] = c
		if c == nil {
			checks[g] = v.checks[g]
		}
	}
	v.checks = checks
}

// check looks at a graph. One of several files of a federation may leave out what
// the others say, so that only the run tells what is wrong with it.
func (v *View) check(g *lab.Source) {
	if len(v.Inputs.joined) > 0 && slices.Contains(v.Inputs.files(), g) {
		v.checks[g] = &check{}
		return
	}
	role := dot.Deployment
	if slices.Contains(v.Inputs.files(), g) {
		role = dot.Federation
	}
	strict := v.Inputs.options.Strict
	var found placementkind.Checked
	var err error
	v.Later(func() {
		found, err = v.lookAt(g, role, strict)
	}, func() {
		if c, wanted := v.checks[g]; wanted && (err == nil || c == nil) {
			v.checks[g] = &check{sizes: found.Graphs, diagnostics: found.Diagnostics, missed: err != nil}
			v.Tell()
		}
	})
}

// lookAt reads a graph, or generates it, and says what it is and what is wrong with
// it; it blocks.
func (v *View) lookAt(g *lab.Source, role dot.Role, strict bool) (placementkind.Checked, error) {
	q := placementkind.CheckQuery{Source: g.Source, Role: role, Strict: strict}
	files := map[string]bridge.Blob{}
	if g.Recipe == nil {
		files[placementkind.TextFile], q.Source.Text = g.File, ""
		if g.Text != "" {
			files[placementkind.TextFile] = bridge.Moved([]byte(g.Text))
		}
	}
	return bridge.AskTool(v.Page, v.Engine, placementkind.CheckQuestion, q, files)
}

// look reads all graphs of inputs together.
func (v *View) look(ctx context.Context, in *inputs) (*bridge.Result, func(), error) {
	read, err := v.Engine.Read(ctx, in.Message())
	return read, nil, err
}

// checked takes over what a run found out about its graphs.
func (v *View) checked(r *result) {
	report := r.first.Report
	for _, g := range r.Inputs.graphs() {
		c := &check{diagnostics: report.Diagnostics.Of(g.Name)}
		switch {
		case g == r.Inputs.federation && len(r.Inputs.joined) == 0:
			f := placementkind.ReportOf(report).Federation
			c.sizes = []placementkind.GraphSize{{Name: f.Name, Nodes: f.Clusters, Edges: f.Links}}
		case slices.Contains(r.Inputs.files(), g): // the report is of all files together
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

// errors counts what is wrong with the graphs of the inputs.
func (v *View) errors() int {
	n := 0
	for _, g := range v.Inputs.graphs() {
		n += len(v.found(g).Errors())
	}
	return n
}

// found is what is wrong with a graph, as far as it is known.
func (v *View) found(g *lab.Source) diag.List {
	if c := v.checks[g]; c != nil {
		return c.diagnostics
	}
	return nil
}
