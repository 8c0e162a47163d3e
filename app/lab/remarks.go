package lab

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Remarks draws a list of the warnings, then the notes.
func Remarks(testID string, warnings, notes []string) app.UI {
	var lines []app.UI
	add := func(icon string, texts []string) {
		for _, text := range texts {
			lines = append(lines, app.Li().Class("note").Body(ui.Icon(icon), app.Span().Text(text)))
		}
	}
	add("warning", warnings)
	add("info", notes)
	return app.Ul().Class("remarks").DataSet("testid", testID).Body(lines...)
}
