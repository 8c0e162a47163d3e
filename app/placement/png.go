package placement

import (
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
)

// paintPNG has panzoom.js draw the picture as a PNG, and calls take with its Blob, which contains
// the scenario.
func (p *picture) paintPNG(take func(png app.Value)) {
	svg, ok := p.framed()
	if !ok {
		return
	}
	link := p.view.Exports.Carried()
	ui.Await(app.Window().Get("berth").Call("png", svg),
		func(png app.Value) { p.view.Page.Dispatch(func(app.Context) { take(withScenario(png, link)) }) },
		func(app.Value) {
			p.view.Page.Dispatch(func(app.Context) {
				p.view.Complain("The PNG could not be drawn", errors.New("the browser refused the SVG. Save the SVG instead"))
			})
		})
}

// withScenario adds the link of a scenario to the Blob of a PNG.
func withScenario(png app.Value, link string) app.Value {
	if link == "" {
		return png
	}
	chunk := scenario.CarryInPNG(link)
	bytes := app.Window().Get("Uint8Array").New(len(chunk))
	app.CopyBytesToJS(bytes, chunk)
	parts := []any{png.Call("slice", 0, scenario.PNGHeader), bytes, png.Call("slice", scenario.PNGHeader)}
	return app.Window().Get("Blob").New(parts, map[string]any{"type": "image/png"})
}
