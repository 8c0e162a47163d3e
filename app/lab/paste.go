package lab

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
)

const dialogPaste = "paste"

// Paste describes the dialog in which the user pastes a source as text.
type Paste struct {
	Title   string
	Hint    string // describes the expected text
	Label   string // of the field, for screen readers
	Example string // placeholder of the field
	Use     func(text string)
}

// OpenPaste opens the dialog of [fileReader.PasteDialog].
func (rd *fileReader[I]) OpenPaste() { rd.lab.Dialog = dialogPaste }

// PasteDialog draws the dialog that [fileReader.OpenPaste] opens. A closed dialog is empty.
func (rd *fileReader[I]) PasteDialog(p Paste) app.UI {
	return rd.lab.dialog(dialogPaste, p.Title, func() app.UI {
		return app.Div().Body(
			app.P().Text(p.Hint),
			app.Textarea().ID(rd.lab.id("paste-text")).Rows(12).Spellcheck(false).
				Placeholder(p.Example).Aria("label", p.Label),
			app.Div().Class("row").Body(ui.Button("check", "Use it").Class("primary").DataSet("testid", rd.lab.id("paste-use")).
				OnClick(func(app.Context, app.Event) { rd.usePaste(p.Use) })),
		)
	})
}

func (rd *fileReader[I]) usePaste(use func(text string)) {
	text := app.Window().GetElementByID(rd.lab.id("paste-text")).Get("value").String()
	rd.lab.Dialog = ""
	if text != "" {
		use(text)
		shell.Announce(rd.lab.Page, "Pasted.")
	}
}
