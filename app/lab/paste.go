package lab

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
)

const dialogPaste = "paste"

// Paste describes the dialog that takes a source as text.
type Paste struct {
	Title   string
	Hint    string // describes the expected text
	Label   string // of the field, for screen readers
	Example string // placeholder of the field
	Use     func(text string)
}

// OpenPaste opens the dialog.
func (l *Lab[I]) OpenPaste() { l.Dialog = dialogPaste }

// PasteDialog draws the dialog.
func (l *Lab[I]) PasteDialog(p Paste) app.UI {
	return l.dialog(dialogPaste, p.Title, func() app.UI {
		return app.Div().Body(
			app.P().Text(p.Hint),
			app.Textarea().ID(l.id("paste-text")).Rows(12).Spellcheck(false).
				Placeholder(p.Example).Aria("label", p.Label),
			app.Div().Class("row").Body(ui.Button("check", "Use it").Class("primary").DataSet("testid", l.id("paste-use")).
				OnClick(func(app.Context, app.Event) { l.usePaste(p.Use) })),
		)
	})
}

func (l *Lab[I]) usePaste(use func(text string)) {
	text := app.Window().GetElementByID(l.id("paste-text")).Get("value").String()
	l.Dialog = ""
	if text != "" {
		use(text)
		shell.Announce(l.Page, "Pasted.")
	}
}
