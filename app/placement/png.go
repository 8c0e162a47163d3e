package placement

import (
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// PNG files have two pixels for each of the drawing, and no side longer than
// browsers' canvases allow.
const (
	pixelRatio = 2
	longest    = 8192
)

// exportPNG paints the drawing on a canvas and offers that as a file.
func (v *View) exportPNG() {
	svg, ok := v.framed()
	if !ok {
		return
	}
	image := app.Window().Get("Image").New()
	blob := app.Window().Get("Blob").New([]any{svg}, map[string]any{"type": "image/svg+xml"})
	url := app.Window().Get("URL").Call("createObjectURL", blob)
	name := v.FileName(".png")
	var loaded, failed app.Func
	finish := func() {
		app.Window().Get("URL").Call("revokeObjectURL", url)
		loaded.Release()
		failed.Release()
	}
	loaded = app.FuncOf(func(app.Value, []app.Value) any {
		savePNG(image, name)
		finish()
		return nil
	})
	failed = app.FuncOf(func(app.Value, []app.Value) any {
		v.Page.Dispatch(func(app.Context) {
			v.Complain("The PNG could not be drawn", errors.New("the browser refused the SVG. Save the SVG instead"))
		})
		finish()
		return nil
	})
	image.Set("onload", loaded)
	image.Set("onerror", failed)
	image.Set("src", url)
}

func savePNG(image app.Value, name string) {
	width, height := image.Get("naturalWidth").Float(), image.Get("naturalHeight").Float()
	scale := min(pixelRatio, longest/max(width, height))
	document := app.Window().Get("document")
	canvas := document.Call("createElement", "canvas")
	canvas.Set("width", int(width*scale))
	canvas.Set("height", int(height*scale))
	paper := canvas.Call("getContext", "2d")
	paper.Set("fillStyle", "white")
	paper.Call("fillRect", 0, 0, int(width*scale), int(height*scale))
	paper.Call("drawImage", image, 0, 0, int(width*scale), int(height*scale))
	link := document.Call("createElement", "a")
	link.Set("href", canvas.Call("toDataURL", "image/png"))
	link.Set("download", name)
	link.Call("click")
}
