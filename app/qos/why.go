package qos

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

func (v *View) whyTools() []app.UI { return nil }

func (v *View) whyPane() app.UI {
	return ui.Empty("Click a decision in the timeline: why it was made is told here.")
}

// hostToFail is the host that an added failure is about.
func (v *View) hostToFail() string { return "Host_1" }
