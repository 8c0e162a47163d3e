package placement

import (
	"path"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// destination says where graphs that arrive are to go.
type destination uint8

const (
	anywhere    destination = iota // their labels decide; an example gives way to them
	deployments                    // in place of all deployments
	more                           // behind the other deployments
	federation                     // in its place
	joined                         // beside the other files of the federation
)

// choose reads the files that are chosen for a destination, and puts their graphs there.
func (v *View) choose(to destination) func(app.Context, []ui.File) {
	return func(_ app.Context, files []ui.File) {
		v.Take(files, limits, func(graphs []*lab.Source) { v.takeGraphs(graphs, to) })
	}
}

// manifestMemory is what reading and placing a byte of manifests takes: 50,000 pods with
// all that kubectl writes, 239 MB, took 2.05 GB.
const manifestMemory = 8.6

// limits bound a file before its contents are known.
var limits = ui.Sizes{".dot": format.MaxDOT, "": scenario.MaxTexts}

// takeGraphs sorts graphs by their labels where that is asked for, and puts them
// into the inputs.
func (v *View) takeGraphs(graphs []*lab.Source, to destination) {
	if to != anywhere {
		v.OpenAmong(graphs, v.filesRead, func(graphs []*lab.Source) { v.takeTo(graphs, to) })
		return
	}
	if len(graphs) == 0 {
		v.filesRead()
		return
	}
	d := &drop{}
	v.drops = append(v.drops, d)
	v.OpenAmong(graphs, func() { v.dropSorted(d, func(then func()) { then() }) }, func(graphs []*lab.Source) { v.tellApart(d, graphs) })
}

// drop is a set of dropped files whose roles are known. Drops are taken in the order of their
// arrival, not of their recognition.
type drop struct{ takeIn func(then func()) }

// dropSorted records how a drop is taken, and takes it when its turn comes.
func (v *View) dropSorted(d *drop, takeIn func(then func())) {
	d.takeIn = takeIn
	v.takeNextDrop()
}

// takeNextDrop takes the next drop, unless another one is being taken or its roles are not
// known yet.
func (v *View) takeNextDrop() {
	if v.taking || len(v.drops) == 0 || v.drops[0].takeIn == nil {
		return
	}
	first := v.drops[0]
	v.drops, v.taking = v.drops[1:], true
	first.takeIn(func() {
		v.taking = false
		v.filesRead()
		v.takeNextDrop()
	})
}

// tellApart finds out what graphs are for.
func (v *View) tellApart(d *drop, graphs []*lab.Source) {
	v.lookAt(graphs, make([]dot.Role, len(graphs)), v.Inputs.options.HowRead(), func(found []placementkind.Checked) {
		v.dropSorted(d, func(then func()) { v.takeByRole(graphs, found, then) })
	})
}

// takeByRole adds graphs by their roles. They replace an example, or its leftovers, are added to
// the user's own work, and replace files of the same names. All dropped files of a federation
// form one federation.
func (v *View) takeByRole(graphs []*lab.Source, found []placementkind.Checked, then func()) {
	replaced, own := v.Unsaved && !v.FromExample(deploymentRole), v.Unsaved && !v.FromExample(federationRole)
	change := func(in *inputs) {
		var deployments, files []*lab.Source
		for i, g := range graphs {
			if found[i].Federation() {
				files = append(files, g)
			}
			switch {
			case found[i].Deployment() && found[i].Federation():
				deployments = append(deployments, g.Called(workloadsOf(g.Name)))
			case found[i].Deployment():
				deployments = append(deployments, g)
			}
		}
		if files != nil && !(own && in.joins(files)) {
			in.files = nil
		}
		for _, g := range files {
			in.join(g)
		}
		dump := slices.ContainsFunc(found, func(c placementkind.Checked) bool { return c.Federation() && c.Nodes })
		if (deployments != nil || dump) && !replaced {
			in.deployments = nil
		}
		in.addOrReplace(deployments...)
	}
	v.keepChecks(graphs, found, change)
	v.ChangeByFiles("drop files", graphs, change, then)
}

// keepChecks keeps the diagnostics of graphs that were read one by one, unless only reading them
// together with all others finds their errors.
func (v *View) keepChecks(graphs []*lab.Source, found []placementkind.Checked, change func(*inputs)) {
	trial := v.Inputs.Clone()
	change(trial)
	if len(trial.files) > 1 || trial.options.Strict {
		return
	}
	for i, g := range graphs {
		one := found[i]
		v.KeepFound(g, one.Diagnostics)
		if one.Unread == "" && one.Deployment() != one.Federation() {
			v.takeCheck(g, one)
		}
	}
}

// partner makes the graph that goes with the user's own graphs of a role, and calls then with the
// edit that puts it in the place of the example's.
func (v *View) partner(of dot.Role, name string, put func(in *inputs, g *lab.Source)) func(then func(on func(in *inputs))) {
	return func(then func(on func(in *inputs))) {
		own := v.Inputs.files
		if of == dot.Deployment {
			own = v.Inputs.deployments
		}
		lab.Ask(nil, v.Later, func() (*placementkind.Generated, error) {
			all, files := queries(own, slices.Repeat([]dot.Role{of}, len(own)), v.Inputs.options.HowRead())
			return bridge.AskTool(v.Page, v.Engine, placementkind.PartnerQuestion, all, files)
		}, func(made *placementkind.Generated, err error) {
			if err != nil {
				v.Trouble = err.Error()
				return
			}
			g := lab.TextSource(name, string(made.Text))
			then(func(in *inputs) { put(in, g) })
		})
	}
}

// workloadsOf is the name of a file of nodes and workloads as a deployment: the name of the
// cluster must be unique.
func workloadsOf(name string) string {
	extension := path.Ext(name)
	return strings.TrimSuffix(name, extension) + "-workloads" + extension
}

// takeTo puts graphs where they were said to go.
func (v *View) takeTo(graphs []*lab.Source, to destination) {
	switch {
	case len(graphs) == 0: // none of the files could be read
		v.filesRead()
	case to == joined, to == federation && (len(graphs) > 1 || beyond(graphs[0])):
		v.ChangeByFiles("choose "+graphs[0].Name, graphs, func(in *inputs) {
			files := graphs
			if to == federation {
				files = append(slices.Clone(graphs), in.keptWith(graphs)...)
				in.files = nil
			}
			for _, g := range files {
				in.join(g)
			}
		}, v.filesRead)
	case to == federation:
		v.ChangeByFiles("choose "+graphs[0].Name, graphs, func(in *inputs) { in.setFederation(graphs[0]) }, v.filesRead)
	default:
		v.ChangeByFiles("choose deployments", graphs, func(in *inputs) {
			if to == deployments {
				in.deployments = nil
			}
			in.addOrReplace(graphs...)
		}, v.filesRead)
	}
}

// filesRead goes on with what waited for the files.
func (v *View) filesRead() {
	v.Editing = nil
	v.FilesRead()
}

// pasteDialog is the dialog for a graph as text.
func (v *View) pasteDialog() app.UI {
	return v.PasteDialog(lab.Paste{
		Title: "Paste a graph", Hint: "A deployment or a federation in DOT, or Kubernetes YAML. Berth recognises which it is.", Label: "DOT or YAML text", Use: v.paste,
	})
}

func (v *View) paste(text string) {
	name := "pasted.dot"
	if format.Beyond(text) != "" {
		name = "pasted.yaml"
	}
	v.AwaitFiles()
	v.takeGraphs(v.Own([]*lab.Source{lab.TextSource(name, text)}), anywhere)
}
