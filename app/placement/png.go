package placement

import (
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

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
