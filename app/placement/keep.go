package placement

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/store"
)

// keepRun notes a run in the history. Whatever goes wrong with the storage is
// told, and nothing else depends on it.
func (v *View) keepRun(r *result) {
	run := r.whole()
	v.keep(func() error {
		document, err := r.document.JSON.Bytes(v.page)
		if err != nil {
			return err
		}
		return v.Shelf.Record(v.page, r.inputs.name, r.document.Hash, document, run.JSON)
	})
}

// keepInputs notes inputs in the history that give way to others.
func (v *View) keepInputs(in inputs) {
	input := in.message()
	v.keep(func() error {
		d, err := v.Engine.Document(v.page, input)
		if err != nil {
			return err
		}
		document, err := d.JSON.Bytes(v.page)
		if err != nil {
			return err
		}
		return v.Shelf.Record(v.page, in.name, d.Hash, document, nil)
	})
}

func (v *View) keep(record func() error) {
	var err error
	refusal := ""
	v.later(func() {
		err = record()
		refusal = v.Shelf.Refusal(v.page)
	}, func() {
		if refusal != "" {
			shell.Announce(v.page, refusal)
		}
		if err != nil {
			shell.Announce(v.page, "This run was not noted in the history: "+err.Error())
		}
	})
}

func (v *View) openSave() {
	if !v.inputs.ready() {
		v.trouble = missing(v.inputs)
		return
	}
	v.dialog, v.saveName = dialogSave, v.inputs.name
}

func (v *View) saveDialog() app.UI {
	return &ui.Dialog{ID: "save", Title: "Save to the library", Open: v.dialog == dialogSave, OnClose: v.closeDialog, Body: func() app.UI {
		return app.Form().OnSubmit(v.save).Body(
			ui.Field("save-name", "Name", app.Input().Type("text").ID("save-name").DataSet("testid", "save-name").
				AutoFocus(true).MaxLength(store.MaxName).Required(true).Value(v.saveName).OnInput(v.typeName)),
			app.P().Class("hint").Text("A scenario that has this name already is replaced."),
			app.Div().Class("row").Body(app.Button().Type("submit").Class("button primary").DataSet("testid", "save-confirm").Text("Save")),
		)
	}}
}

func (v *View) typeName(ctx app.Context, _ app.Event) {
	v.saveName = ctx.JSSrc().Get("value").String()
}

// save puts the inputs on screen into the library.
func (v *View) save(_ app.Context, e app.Event) {
	e.PreventDefault()
	name := strings.TrimSpace(v.saveName)
	if name == "" {
		return
	}
	v.dialog = dialogNone
	if name != v.inputs.name {
		v.change("rename", func(in *inputs) { in.name = name })
	}
	generation, input := v.generation, v.inputs.message()
	var err error
	refusal := ""
	v.later(func() {
		d, failed := v.Engine.Document(v.page, input)
		if err = failed; err != nil {
			return
		}
		document, failed := d.JSON.Bytes(v.page)
		if err = failed; err == nil {
			err = v.Shelf.Save(v.page, name, d.Hash, document)
		}
		refusal = v.Shelf.Refusal(v.page)
	}, func() {
		if err != nil {
			v.complain("The scenario was not saved", err)
			return
		}
		if generation == v.generation {
			v.unsaved = false
			v.keepDraft()
		}
		v.tell()
		shell.Announce(v.page, strings.TrimSpace("Saved as “"+name+"”. "+refusal))
	})
}

// request is a scenario that another view wants to be shown here.
var request struct {
	name     string
	scenario *scenario.Scenario
}

// Open shows a scenario in the view at Path.
func Open(ctx app.Context, name string, s scenario.Scenario) {
	request.name, request.scenario = name, &s
	ctx.Navigate(Path)
}

// takeRequest opens what Open was called with, and reports whether there was
// something.
func (v *View) takeRequest() bool {
	if request.scenario == nil {
		return false
	}
	s := request.scenario
	request.scenario = nil
	v.giveWay(request.name, inputsOf(*s))
	return true
}

// giveWay puts other inputs in the place of these. Work that is not saved goes
// to the history, and the user is told.
func (v *View) giveWay(name string, in inputs) {
	kept := v.unsaved && v.inputs.ready() && !v.inputs.sameWork(in)
	if kept {
		v.keepInputs(v.inputs)
	}
	v.replaceAll(name, in)
	v.tab = ui.PaneResult
	if kept {
		shell.Announce(v.page, "Your earlier work is in the library's history; Undo brings it back.")
	}
}
