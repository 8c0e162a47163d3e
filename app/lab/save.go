package lab

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/wasm/store"
)

const dialogSave = "save"

func (l *Lab[I]) openSave() {
	if !l.lacks() {
		l.Dialog, l.saveName = dialogSave, l.Inputs.Name()
	}
}

func (l *Lab[I]) saveDialog() app.UI {
	return l.dialog(dialogSave, "Save to the library", func() app.UI {
		return app.Form().OnSubmit(l.save).Body(
			ui.Field(l.id("save-name"), "Name", ui.Taking(ui.Showing(app.Input().Type("text").ID(l.id("save-name")).DataSet("testid", "save-name").
				MaxLength(store.MaxName).Required(true), l.saveName), "input", func(_ app.Context, name string) { l.saveName = name })),
			app.P().Class("hint").Text("A saved scenario of the same name is replaced."),
			app.Div().Class("row").Body(app.Button().Type("submit").Class("button primary").DataSet("testid", "save-confirm").Text("Save")),
		)
	})
}

// save stores the inputs on screen in the library.
func (l *Lab[I]) save(_ app.Context, e app.Event) {
	e.PreventDefault()
	name := strings.TrimSpace(l.saveName)
	if name == "" {
		return
	}
	l.Dialog = ""
	if name != l.Inputs.Name() {
		l.Change("rename", func(in I) { in.SetName(name) })
	}
	generation, in := l.generation, l.Inputs
	l.Try(func() error {
		d, document, err := l.document(in)
		if err != nil {
			return err
		}
		return l.Shelf.Save(l.Page, name, d.Hash, document)
	}, func(err error) {
		if err != nil {
			l.Complain("The scenario was not saved", err)
			return
		}
		if generation == l.generation {
			l.Unsaved = false
			l.KeepDraft()
		}
		l.Tell()
		shell.Announce(l.Page, "Saved as “"+name+"”.")
	})
}
