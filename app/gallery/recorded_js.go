package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/gallery"
)

// readRecords fetches the entries with their records.
func (v *View) readRecords() {
	take := func(file string) {
		v.page.Dispatch(func(app.Context) {
			v.missing = gallery.Fetched([]byte(file)) != nil
			v.record()
		})
	}
	failed := func(app.Value) { take("") }
	assets := app.Window().Get("berth").Get("assets")
	ui.Await(app.Window().Call("fetch", assets.Get("gallery.json")), func(answer app.Value) {
		if !answer.Get("ok").Bool() {
			failed(answer)
			return
		}
		ui.Await(answer.Call("text"), func(text app.Value) { take(text.String()) }, failed)
	}, failed)
}
