package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Stored reads a string that [Store] kept in this browser; "" when there is
// none or the browser keeps nothing (private windows).
func Stored(key string) (value string) {
	defer ignoreBlockedStorage()
	item := app.Window().Get("localStorage").Call("getItem", key)
	if !item.Truthy() {
		return ""
	}
	return item.String()
}

// Store keeps a string in this browser under key, "" removes it. A preference
// that cannot be kept is not worth a message.
func Store(key, value string) {
	defer ignoreBlockedStorage()
	storage := app.Window().Get("localStorage")
	if value == "" {
		storage.Call("removeItem", key)
		return
	}
	storage.Call("setItem", key, value)
}

// ignoreBlockedStorage swallows the exception that a browser throws where
// storage is forbidden or full.
func ignoreBlockedStorage() { _ = recover() }

// DeviceMemory is how much memory the device has, in GiB and roughly; 0 where the browser
// does not say.
func DeviceMemory() float64 {
	if known := app.Window().Get("navigator").Get("deviceMemory"); known.Truthy() {
		return known.Float()
	}
	return 0
}

// Copy puts text on the clipboard and reports whether that was allowed.
func Copy(ctx app.Context, text string, done func(ctx app.Context, ok bool)) {
	clipboard := app.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		ctx.Dispatch(func(ctx app.Context) { done(ctx, false) })
		return
	}
	Await(clipboard.Call("writeText", text),
		func(app.Value) { ctx.Dispatch(func(ctx app.Context) { done(ctx, true) }) },
		func(app.Value) { ctx.Dispatch(func(ctx app.Context) { done(ctx, false) }) })
}

// Download offers data to the user as a file called name.
func Download(name, mime string, data []byte) {
	bytes := app.Window().Get("Uint8Array").New(len(data))
	app.CopyBytesToJS(bytes, data)
	blob := app.Window().Get("Blob").New([]any{bytes}, map[string]any{"type": mime})
	link := app.Window().Get("document").Call("createElement", "a")
	url := app.Window().Get("URL").Call("createObjectURL", blob)
	link.Set("href", url)
	link.Set("download", name)
	link.Call("click")
	// Some browsers read the blob only some time after the click.
	time.AfterFunc(time.Minute, func() { app.Window().Get("URL").Call("revokeObjectURL", url) })
}

// Focus moves the keyboard's focus to the element with this id once the
// present update is drawn.
func Focus(ctx app.Context, id string) {
	ctx.Defer(func(app.Context) {
		if element := app.Window().GetElementByID(id); element.Truthy() {
			element.Call("focus")
		}
	})
}

// Await calls one of the two when the promise settles, outside the page's
// goroutine; go-app's own Then knows fulfilment only, and would leave a refusal
// unheard.
func Await(promise app.Value, fulfilled, rejected func(app.Value)) {
	promise.Call("then", oneOf(fulfilled, rejected)...)
}

// oneOf returns two callbacks. The browser calls one of them, once.
func oneOf(fulfilled, rejected func(app.Value)) []any {
	var onFulfilled, onRejected app.Func
	wrap := func(then func(app.Value)) app.Func {
		return app.FuncOf(func(_ app.Value, args []app.Value) any {
			onFulfilled.Release()
			onRejected.Release()
			then(args[0])
			return nil
		})
	}
	onFulfilled, onRejected = wrap(fulfilled), wrap(rejected)
	return []any{onFulfilled, onRejected}
}

// FocusFirst moves it to the first element that a selector finds, and brings that
// into view.
func FocusFirst(ctx app.Context, selector string) {
	ctx.Defer(func(app.Context) {
		if element := app.Window().Get("document").Call("querySelector", selector); element.Truthy() {
			element.Call("focus")
			element.Call("scrollIntoView", map[string]any{"block": "nearest"})
		}
	})
}

// MarkRoot sets a data attribute of the document to a number, for styles; 0 removes it.
func MarkRoot(name string, value int) {
	root := app.Window().Get("document").Get("documentElement")
	if value == 0 {
		root.Call("removeAttribute", "data-"+name)
		return
	}
	root.Call("setAttribute", "data-"+name, value)
}
