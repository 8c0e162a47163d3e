package placement

import (
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
)

// paintPNG has panzoom.js paint the drawing, and hands over the Blob of the PNG.
func (v *View) paintPNG(take func(png app.Value)) {
	svg, ok := v.framed()
	if !ok {
		return
	}
	ui.Await(app.Window().Get("berth").Call("png", svg),
		func(png app.Value) { v.Page.Dispatch(func(app.Context) { take(png) }) },
		func(app.Value) {
			v.Page.Dispatch(func(app.Context) {
				v.Complain("The PNG could not be drawn", errors.New("the browser refused the SVG. Save the SVG instead"))
			})
		})
}

// copyPNG puts the drawing on the clipboard.
func (v *View) copyPNG(png app.Value) {
	say := func(text string) func(app.Value) {
		return func(app.Value) { v.Page.Dispatch(func(ctx app.Context) { shell.Announce(ctx, text) }) }
	}
	ui.Await(app.Window().Get("berth").Call("copyPNG", png), say("The drawing was copied."),
		say("The browser does not allow copying pictures. Save the PNG instead."))
}
