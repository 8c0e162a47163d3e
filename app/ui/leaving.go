package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// LongWork is the minimum duration of a run that the page drops only after asking.
const LongWork = 10 * time.Second

// Confirm asks the user a question. Outside of a browser it returns true.
func Confirm(question string) bool {
	return !app.IsClient || app.Window().Call("confirm", question).Bool()
}
