package placement

import (
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
)

// PNG files have two pixels for each of the drawing, and no side longer than
// browsers' canvases allow.
const (
	pixelRatio = 2
	longest    = 8192
)

// paintPNG paints the drawing on a canvas and hands that over, with the name of its file.
func (v *View) paintPNG(take func(canvas app.Value, name string)) {
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
		take(painted(image), name)
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

// painted is a canvas with an image.
func painted(image app.Value) app.Value {
	width, height := image.Get("naturalWidth").Float(), image.Get("naturalHeight").Float()
	scale := min(pixelRatio, longest/max(width, height))
	canvas := app.Window().Get("document").Call("createElement", "canvas")
	canvas.Set("width", int(width*scale))
	canvas.Set("height", int(height*scale))
	paper := canvas.Call("getContext", "2d")
	paper.Set("fillStyle", "white")
	paper.Call("fillRect", 0, 0, int(width*scale), int(height*scale))
	paper.Call("drawImage", image, 0, 0, int(width*scale), int(height*scale))
	return canvas
}

func savePNG(canvas app.Value, name string) {
	link := app.Window().Get("document").Call("createElement", "a")
	link.Set("href", canvas.Call("toDataURL", "image/png"))
	link.Set("download", name)
	link.Call("click")
}

// copyPNG puts the drawing on the clipboard.
func (v *View) copyPNG(canvas app.Value, _ string) {
	say := func(text string) {
		v.Page.Dispatch(func(ctx app.Context) { shell.Announce(ctx, text) })
	}
	var made app.Func
	made = app.FuncOf(func(_ app.Value, args []app.Value) any {
		defer made.Release()
		clipboard, item := app.Window().Get("navigator").Get("clipboard"), app.Window().Get("ClipboardItem")
		if !clipboard.Truthy() || !item.Truthy() {
			say("The browser does not allow copying pictures. Save the PNG instead.")
			return nil
		}
		ui.Await(clipboard.Call("write", []any{item.New(map[string]any{"image/png": args[0]})}),
			func(app.Value) { say("The drawing was copied.") },
			func(app.Value) { say("The browser does not allow copying pictures. Save the PNG instead.") })
		return nil
	})
	canvas.Call("toBlob", made, "image/png")
}
