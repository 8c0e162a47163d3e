package lab

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/wasm/store"
)

const dialogSave = "save"

func (k *drafts[I]) openSave() {
	if !k.lab.Runs.lacks() {
		k.lab.Dialog, k.saveName = dialogSave, k.lab.Inputs.Name()
	}
}

func (k *drafts[I]) saveDialog() app.UI {
	return k.lab.dialog(dialogSave, "Save to the library", func() app.UI {
		return app.Form().OnSubmit(k.save).Body(
			ui.Field(k.lab.id("save-name"), "Name", ui.Taking(ui.Showing(app.Input().Type("text").ID(k.lab.id("save-name")).DataSet("testid", "save-name").
				MaxLength(store.MaxName).Required(true), k.saveName), "input", func(_ app.Context, name string) { k.saveName = name })),
			app.P().Class("hint").Text("A saved scenario of the same name is replaced."),
			app.Div().Class("row").Body(app.Button().Type("submit").Class("button primary").DataSet("testid", "save-confirm").Text("Save")),
		)
	})
}

// save stores the current inputs in the library, under the name in the dialog.
func (k *drafts[I]) save(_ app.Context, e app.Event) {
	e.PreventDefault()
	name := strings.TrimSpace(k.saveName)
	if name == "" {
		return
	}
	k.lab.Dialog = ""
	if name != k.lab.Inputs.Name() {
		k.lab.Change("rename", func(in I) { in.SetName(name) })
	}
	generation, in := k.lab.generation, k.lab.Inputs
	k.lab.Try(func() error {
		d, document, err := k.lab.Exports.document(in)
		if err != nil {
			return err
		}
		return k.lab.Shelf.Save(k.lab.Page, name, d.Hash, document)
	}, func(err error) {
		if err != nil {
			k.lab.Complain("The scenario was not saved", err)
			return
		}
		if generation == k.lab.generation {
			k.lab.Unsaved = false
			k.KeepDraft()
		}
		k.lab.Tell()
		shell.Announce(k.lab.Page, "Saved as “"+name+"”.")
	})
}
