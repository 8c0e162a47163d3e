package lab

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/wasm/bridge"
)

// blobOf converts a File of go-app into a Blob of the bridge. go-app does not expose the JavaScript
// value that it wraps, so Reflect.apply passes that value to a Go callback.
func blobOf(file app.Value) bridge.Blob {
	var blob bridge.Blob
	take := js.FuncOf(func(_ js.Value, args []js.Value) any {
		blob = bridge.BlobOf(args[0])
		return nil
	})
	defer take.Release()
	app.Window().Get("Reflect").Call("apply", take, nil, []any{file})
	return blob
}
