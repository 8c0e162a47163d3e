package placement

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// The dialogs of the view, of which one is open at a time.
const (
	dialogNone     = ""
	dialogGenerate = "generate"
	dialogPaste    = "paste"
	dialogShare    = "share"
	dialogSave     = "save"
)

func (v *View) closeDialog(app.Context) { v.dialog = dialogNone }
