package placement

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/dot"
	"berth/engine/scenario"
)

// destination says where graphs that arrive are to go.
type destination uint8

const (
	anywhere    destination = iota // their labels decide; an example gives way to them
	deployments                    // in place of all deployments
	more                           // behind the other deployments
	federation
)

// dropped takes files that were dropped on the page.
func (v *View) dropped(_ app.Context, files []ui.File) { v.take(files, anywhere) }

func (v *View) chooseDeployments(_ app.Context, files []ui.File) { v.take(files, deployments) }
func (v *View) addDeployments(_ app.Context, files []ui.File)    { v.take(files, more) }
func (v *View) chooseFederation(_ app.Context, files []ui.File)  { v.take(files, federation) }

// take reads files and puts their graphs where they belong.
func (v *View) take(files []ui.File, to destination) {
	v.Take(files, scenario.MaxBytes, func(graphs []*lab.Source) { v.arrived(graphs, to) })
}

// arrived sorts graphs by their labels where that is asked for, and puts them
// into the inputs.
func (v *View) arrived(graphs []*lab.Source, to destination) {
	if to != anywhere {
		v.put(graphs, to)
		return
	}
	if len(graphs) == 0 {
		v.filesRead()
		return
	}
	v.OpenAmong(graphs, v.filesRead, func() { v.tellApart(graphs) })
}

// tellApart finds out which graphs are federations.
func (v *View) tellApart(graphs []*lab.Source) {
	federations := make([]bool, len(graphs))
	v.Later(func() {
		for i, g := range graphs {
			found, err := v.look(g, dot.Unknown, false)
			federations[i] = err == nil && found.Role == dot.Federation
		}
	}, func() { v.sortIn(graphs, federations) })
}

// sortIn puts graphs in by what they are. They take the place of an example,
// and go beside work of the user's own.
func (v *View) sortIn(graphs []*lab.Source, federations []bool) {
	v.Change("drop files", func(in *inputs) {
		v.Unname(in)
		replaced := v.Unsaved
		for i, g := range graphs {
			switch {
			case federations[i]:
				in.setFederation(g)
			case !replaced:
				in.deployments, replaced = nil, true
				fallthrough
			default:
				in.add(g)
			}
		}
	})
	v.filesRead()
}

// put puts graphs where they were said to go.
func (v *View) put(graphs []*lab.Source, to destination) {
	switch {
	case len(graphs) == 0: // none of the files could be read
	case to == federation:
		v.Change("choose "+graphs[0].Name, func(in *inputs) {
			v.Unname(in)
			in.setFederation(graphs[0])
		})
		if len(graphs) > 1 {
			v.Complaint = fmt.Sprintf("One federation is used at a time: %s; %s left out.", graphs[0].Name, ui.Counted(len(graphs)-1, "other file"))
		}
	default:
		v.Change("choose deployments", func(in *inputs) {
			v.Unname(in)
			if to == deployments {
				in.deployments = nil
			}
			in.add(graphs...)
		})
	}
	v.filesRead()
}

// filesRead goes on with what waited for the files.
func (v *View) filesRead() {
	v.editing = nil
	v.FilesRead()
}

// pasteDialog is the dialog for a graph as text.
func (v *View) pasteDialog() app.UI {
	return v.PasteDialog(lab.Paste{
		Title: "Paste a graph", Hint: "A deployment or a federation in DOT; its labels tell which.", Label: "DOT text", Use: v.paste,
	})
}

func (v *View) paste(text string) {
	v.AwaitFiles()
	v.arrived(v.Own([]*lab.Source{lab.TextSource("pasted.dot", text)}), anywhere)
}
