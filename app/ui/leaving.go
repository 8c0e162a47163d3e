package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// LongWork is how long a run takes before the page asks whether it may be lost.
const LongWork = 10 * time.Second

// Confirm asks whether something may be done. Outside a browser no one says no.
func Confirm(question string) bool {
	return !app.IsClient || app.Window().Call("confirm", question).Bool()
}
