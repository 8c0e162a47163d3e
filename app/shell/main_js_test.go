package shell

import (
	"os"
	"syscall/js"
	"testing"
)

// A script fills the page's controls.
func TestMain(m *testing.M) {
	js.Global().Set("berth", map[string]any{})
	loaded := make(chan struct{})
	script := js.Global().Get("document").Call("createElement", "script")
	script.Set("onload", js.FuncOf(func(js.Value, []js.Value) any { close(loaded); return nil }))
	script.Set("src", "/web/assets/controls.js")
	js.Global().Get("document").Get("head").Call("append", script)
	<-loaded
	os.Exit(m.Run())
}
