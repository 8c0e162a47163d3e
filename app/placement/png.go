package placement

import (
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// paintPNG has panzoom.js draw the picture as a PNG, and calls take with its Blob.
func (p *picture) paintPNG(take func(png app.Value)) {
	svg, ok := p.framed()
	if !ok {
		return
	}
	ui.Await(app.Window().Get("berth").Call("png", svg),
		func(png app.Value) { p.view.Page.Dispatch(func(app.Context) { take(png) }) },
		func(app.Value) {
			p.view.Page.Dispatch(func(app.Context) {
				p.view.Complain("The PNG could not be drawn", errors.New("the browser refused the SVG. Save the SVG instead"))
			})
		})
}
