package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Stored returns the string that [Store] kept in this browser; "" if the key is unknown or the
// browser stores nothing, as in private windows.
func Stored(key string) (value string) {
	defer ignoreBlockedStorage()
	item := app.Window().Get("localStorage").Call("getItem", key)
	if !item.Truthy() {
		return ""
	}
	return item.String()
}

// Store keeps a string in this browser under a key; "" removes the key. It ignores errors, because
// a lost preference deserves no message.
func Store(key, value string) {
	defer ignoreBlockedStorage()
	storage := app.Window().Get("localStorage")
	if value == "" {
		storage.Call("removeItem", key)
		return
	}
	storage.Call("setItem", key, value)
}

// ignoreBlockedStorage recovers from the exception that a browser throws if storage is blocked or
// full.
func ignoreBlockedStorage() { _ = recover() }

// DeviceMemory returns the approximate memory of the device in GiB; 0 if the browser does not
// report it.
func DeviceMemory() float64 {
	if known := app.Window().Get("navigator").Get("deviceMemory"); known.Truthy() {
		return known.Float()
	}
	return 0
}

// Download offers data to the user as a file with this name and MIME type.
func Download(name, mime string, data []byte) {
	bytes := app.Window().Get("Uint8Array").New(len(data))
	app.CopyBytesToJS(bytes, data)
	Offer(name, app.Window().Get("Blob").New([]any{bytes}, map[string]any{"type": mime}))
}

// Offer offers a Blob of the browser to the user as a file with this name.
func Offer(name string, blob app.Value) {
	link := app.Window().Get("document").Call("createElement", "a")
	url := app.Window().Get("URL").Call("createObjectURL", blob)
	link.Set("href", url)
	link.Set("download", name)
	link.Call("click")
	// Some browsers read the blob only a while after the click.
	time.AfterFunc(time.Minute, func() { app.Window().Get("URL").Call("revokeObjectURL", url) })
}

// Focus moves the keyboard focus to the element with this id after the current update is drawn.
func Focus(ctx app.Context, id string) {
	ctx.Defer(func(app.Context) {
		if element := app.Window().GetElementByID(id); element.Truthy() {
			app.Window().Get("berth").Call("focus", element)
		}
	})
}

// Await calls fulfilled or rejected when a promise settles, off the page's goroutine. go-app's Then
// ignores rejections.
func Await(promise app.Value, fulfilled, rejected func(app.Value)) {
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
	promise.Call("then", onFulfilled, onRejected)
}

// FocusFirst moves the focus to the first element that matches a selector, and scrolls it into
// view.
func FocusFirst(ctx app.Context, selector string) {
	ctx.Defer(func(app.Context) {
		if element := app.Window().Get("document").Call("querySelector", selector); element.Truthy() {
			app.Window().Get("berth").Call("focus", element)
			element.Call("scrollIntoView", map[string]any{"block": "nearest"})
		}
	})
}

// MarkRoot sets a data attribute of the document, for style sheets; 0 and "" remove it.
func MarkRoot(name string, value any) {
	root := app.Window().Get("document").Get("documentElement")
	if value == 0 || value == "" {
		root.Call("removeAttribute", "data-"+name)
		return
	}
	root.Call("setAttribute", "data-"+name, value)
}
