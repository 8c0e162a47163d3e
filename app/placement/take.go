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

// destination is the place in the inputs for new graphs.
type destination uint8

const (
	anywhere    destination = iota // their labels decide; they replace an example
	deployments                    // replace all deployments
	more                           // after the other deployments
	federation                     // replace the federation
	joined                         // with the other files of the federation
)

// choose returns the handler of chosen files, which reads them and puts their graphs at
// a destination.
func (u *uploads) choose(to destination) func(app.Context, []ui.File) {
	return func(_ app.Context, files []ui.File) {
		u.view.Files.Take(files, limits, func(graphs []*lab.Source) { u.takeGraphs(graphs, to) })
	}
}

// manifestMemory is the memory, in bytes, that reading and placing takes per byte of
// manifests. Measured: 50,000 pods with all fields that kubectl writes, 239 MB, took
// 2.05 GB.
const manifestMemory = 8.6

// limits are the maximum sizes of files in bytes, by extension.
var limits = ui.Sizes{".dot": format.MaxDOT, "": scenario.MaxTexts}

// takeGraphs puts graphs into the inputs, or opens a scenario among them. For the destination
// anywhere, the contents of the graphs decide their roles.
func (u *uploads) takeGraphs(graphs []*lab.Source, to destination) {
	if to != anywhere {
		u.view.Files.OpenAmong(graphs, u.filesRead, func(graphs []*lab.Source) { u.takeTo(graphs, to) })
		return
	}
	if len(graphs) == 0 {
		u.filesRead()
		return
	}
	d := &drop{}
	u.drops = append(u.drops, d)
	u.view.Files.OpenAmong(graphs, func() { u.dropSorted(d, func(then func()) { then() }) }, func(graphs []*lab.Source) {
		u.lookAt(graphs, make([]dot.Role, len(graphs)), u.view.Inputs.options.HowRead(), func(found []placementkind.Checked) {
			u.dropSorted(d, func(then func()) { u.takeByRole(graphs, found, then) })
		})
	})
}

// drop is a set of dropped files. Drops are taken in the order of their arrival, not in the order
// in which their roles become known.
type drop struct{ takeIn func(then func()) }

// dropSorted records how to take a drop, and takes it when its turn comes.
func (u *uploads) dropSorted(d *drop, takeIn func(then func())) {
	d.takeIn = takeIn
	u.takeNextDrop()
}

// takeNextDrop takes the next drop, unless another one is being taken or its roles are not known
// yet.
func (u *uploads) takeNextDrop() {
	if u.taking || len(u.drops) == 0 || u.drops[0].takeIn == nil {
		return
	}
	first := u.drops[0]
	u.drops, u.taking = u.drops[1:], true
	first.takeIn(func() {
		u.taking = false
		u.filesRead()
		u.takeNextDrop()
	})
}

// takeByRole adds graphs by their roles. They replace the sources of an example, are added to the
// user's own sources, and replace files of the same names. All dropped files of a federation form
// one federation.
func (u *uploads) takeByRole(graphs []*lab.Source, found []placementkind.Checked, then func()) {
	replaced, own := u.view.Unsaved && !u.view.Intake.FromExample(deploymentRole), u.view.Unsaved && !u.view.Intake.FromExample(federationRole)
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
	u.keepChecks(graphs, found, change)
	u.view.Files.ChangeByFiles("drop files", graphs, change, then)
}

// keepChecks stores the diagnostics of graphs that were read one by one. It stores none if their
// errors only appear when all graphs are read together.
func (u *uploads) keepChecks(graphs []*lab.Source, found []placementkind.Checked, change func(*inputs)) {
	trial := u.view.Inputs.Clone()
	change(trial)
	if len(trial.files) > 1 || trial.options.Strict {
		return
	}
	for i, g := range graphs {
		one := found[i]
		u.view.Form.KeepFound(g, one.Diagnostics)
		if one.Unread == "" && one.Deployment() != one.Federation() {
			u.takeCheck(g, one)
		}
	}
}

// partner returns the function that generates a graph to fit the user's own graphs in a role. The
// function calls then with the edit that replaces the example's graph.
func (u *uploads) partner(of dot.Role, name string, put func(in *inputs, g *lab.Source)) func(then func(on func(in *inputs))) {
	return func(then func(on func(in *inputs))) {
		own := u.view.Inputs.files
		if of == dot.Deployment {
			own = u.view.Inputs.deployments
		}
		lab.Ask(nil, u.view.Later, func() (*placementkind.Generated, error) {
			all, files := queries(own, slices.Repeat([]dot.Role{of}, len(own)), u.view.Inputs.options.HowRead())
			return bridge.AskTool(u.view.Page, u.view.Engine, placementkind.PartnerQuestion, all, files)
		}, func(made *placementkind.Generated, err error) {
			if err != nil {
				u.view.Files.Trouble = err.Error()
				return
			}
			g := lab.TextSource(name, string(made.Data))
			then(func(in *inputs) { put(in, g) })
		})
	}
}

// workloadsOf names the deployment in a dump that also holds nodes. Names must be unique, and the
// federation already has a source with the name of the file.
func workloadsOf(name string) string {
	extension := path.Ext(name)
	return strings.TrimSuffix(name, extension) + "-workloads" + extension
}

// takeTo puts graphs at the destination that the user chose.
func (u *uploads) takeTo(graphs []*lab.Source, to destination) {
	switch {
	case len(graphs) == 0: // none of the files could be read
		u.filesRead()
	case to == joined, to == federation && (len(graphs) > 1 || beyond(graphs[0])):
		u.view.Files.ChangeByFiles("choose "+graphs[0].Name, graphs, func(in *inputs) {
			files := graphs
			if to == federation {
				files = append(slices.Clone(graphs), in.keptWith(graphs)...)
				in.files = nil
			}
			for _, g := range files {
				in.join(g)
			}
		}, u.filesRead)
	case to == federation:
		u.view.Files.ChangeByFiles("choose "+graphs[0].Name, graphs, func(in *inputs) { in.setFederation(graphs[0]) }, u.filesRead)
	default:
		u.view.Files.ChangeByFiles("choose deployments", graphs, func(in *inputs) {
			if to == deployments {
				in.deployments = nil
			}
			in.addOrReplace(graphs...)
		}, u.filesRead)
	}
}

// filesRead closes the editor and ends the wait for files.
func (u *uploads) filesRead() {
	u.view.Files.Editing = nil
	u.view.Files.FilesRead()
}

func (u *uploads) pasteDialog() app.UI {
	return u.view.Files.PasteDialog(lab.Paste{
		Title: "Paste a graph", Hint: "A deployment or a federation in DOT, or Kubernetes YAML. Berth recognises which it is.", Label: "DOT or YAML text", Use: u.paste,
	})
}

func (u *uploads) paste(text string) {
	name := "pasted.dot"
	if format.Beyond(text) != "" {
		name = "pasted.yaml"
	}
	u.view.Files.AwaitFiles()
	u.takeGraphs(u.view.Files.Own([]*lab.Source{lab.TextSource(name, text)}), anywhere)
}
