package lab

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
)

// found lists the entries of the command palette that are not commands: examples of every system,
// exports, settings, and objects of the result.
func (l *Lab[I]) found() []shell.Command {
	var all []shell.Command
	add := func(id, name string, do func()) {
		all = append(all, shell.Command{ID: id, Name: name, Thing: true, Do: func(app.Context) { do() }})
	}
	for _, e := range exampleList() {
		kind, _ := scenario.Lookup(e.Scenario.Kind)
		add("example-"+e.Name, "Example: "+e.Title+" ("+kind.Title+", "+e.Name+")", func() {
			name := "open “" + e.Title + "”"
			if kind == l.system.Kind {
				l.Opening.giveWay(name, e.Scenario, e.Before)
				return
			}
			openAt(l.Page, "", name, e.Scenario, e.Before)
		})
	}
	for _, e := range l.Exports.entries {
		add("export-"+e.Name, "Export: "+e.Label, e.Do)
	}
	for _, c := range l.Things {
		add(c.ID, c.Name, func() { c.Do(l.Page) })
	}
	for _, s := range l.settings() {
		add("setting-"+s.id, "Setting: "+s.label, func() { l.goToSetting(s.id) })
	}
	return all
}

type setting struct{ id, label string }

// settings are the labelled controls in the input pane, read from the document.
func (l *Lab[I]) settings() []setting {
	if app.IsServer {
		return nil // without a browser there is no document
	}
	var all []setting
	labels := app.Window().Get("document").Call("querySelectorAll", "#"+l.system.Kind.Name+"-input label[for]")
	for i := range labels.Length() {
		s := setting{labels.Index(i).Get("htmlFor").String(), strings.TrimSpace(labels.Index(i).Get("textContent").String())}
		if s.label != "" {
			all = append(all, s)
		}
	}
	return all
}

// goToSetting opens the groups around a control and focuses it.
func (l *Lab[I]) goToSetting(id string) {
	l.Stage.bench, l.Tab = true, ui.PaneInput
	l.Page.Defer(func(ctx app.Context) {
		control := app.Window().GetElementByID(id)
		if !control.Truthy() {
			return // a change of the inputs has removed it
		}
		for up := control.Call("closest", "details"); up.Truthy(); up = up.Get("parentElement").Call("closest", "details") {
			up.Set("open", true)
		}
		ui.Focus(ctx, id)
	})
}
