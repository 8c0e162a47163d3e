package placement

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// The dialogs of the view.
const (
	dialogNone     = ""
	dialogGenerate = "generate"
	dialogPaste    = "paste"
	dialogShare    = "share"
	dialogSave     = "save"
)

// Store is temporary.
type Store interface{}

type keeping struct{}

func (v *View) begin() {
	if v.openAddress() {
		return
	}
}
func (v *View) takeRequest()       {}
func (v *View) keepDraft()         {}
func (v *View) keepRun(*result)    {}
func (v *View) keepInputs(inputs)  {}
func (v *View) openSave()          {}
func (v *View) saveDialog() app.UI { return app.Text("") }
