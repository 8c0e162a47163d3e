package store

import (
	"context"
	"errors"
	"strings"
	"syscall/js"

	"berth/wasm/javascript"
)

// tabKey is the key of the tab's id in the sessionStorage, which survives a reload
// and is copied to a duplicate of the tab. While a page is open, tabOpen follows the
// id there, which distinguishes a duplicate from a reload.
const (
	tabKey  = "berth.tab"
	tabOpen = " open"
)

// lockPrefix precedes the id of a tab in the name of its Web Lock. The browser releases the lock
// regardless of how the page ends.
const lockPrefix = "berth.tab."

// jsBrowser is the browser of the page. Reading its storages cannot throw, because
// boot.js replaces blocked ones.
type jsBrowser struct{}

func thisBrowser() browser { return jsBrowser{} }

func (b jsBrowser) tab(ctx context.Context) (id, copied string) {
	session := js.Global().Get("sessionStorage")
	if item := session.Call("getItem", tabKey); item.Type() == js.TypeString {
		id = item.String()
	}
	id, wasOpen := strings.CutSuffix(id, tabOpen)
	if wasOpen { // the tab is a duplicate, or its page crashed
		if tabs := b.openTabs(ctx); tabs == nil || tabs[id] {
			id, copied = "", id
		}
	}
	if id == "" {
		id = randomID()
	}
	mark := func(value string) js.Func {
		return js.FuncOf(func(js.Value, []js.Value) any {
			defer ignore() // the storage is full
			session.Call("setItem", tabKey, value)
			return nil
		})
	}
	// The functions are never released: they last as long as the page.
	opened := mark(id + tabOpen)
	opened.Invoke()
	js.Global().Call("addEventListener", "pageshow", opened)
	js.Global().Call("addEventListener", "pagehide", mark(id))
	b.hold(lockPrefix + id)
	return id, copied
}

// randomID returns a unique id. The package crypto/rand would add ciphers to the
// program.
func randomID() string {
	bytes := js.Global().Get("Uint8Array").New(16)
	js.Global().Get("crypto").Call("getRandomValues", bytes)
	return bytes.Call("join", "-").String()
}

// hold takes a web lock until the page ends. Other tabs see by the lock that this tab is open.
func (jsBrowser) hold(name string) {
	locks := js.Global().Get("navigator").Get("locks")
	if !locks.Truthy() {
		return
	}
	nothing := js.FuncOf(func(js.Value, []js.Value) any { return nil })
	forever := js.Global().Get("Promise").New(nothing)
	held := js.FuncOf(func(js.Value, []js.Value) any { return forever })
	locks.Call("request", name, held).Call("catch", nothing) // fails if storage is blocked
}

func (jsBrowser) openTabs(ctx context.Context) map[string]bool {
	locks := js.Global().Get("navigator").Get("locks")
	if !locks.Truthy() {
		return nil
	}
	state, err := javascript.Await(ctx, locks.Call("query"))
	if err != nil || !state.Get("held").Truthy() {
		return nil
	}
	tabs := map[string]bool{}
	for i, held := 0, state.Get("held"); i < held.Length(); i++ {
		if id, ok := strings.CutPrefix(held.Index(i).Get("name").String(), lockPrefix); ok {
			tabs[id] = true
		}
	}
	return tabs
}

func (jsBrowser) keys() []string {
	keys := js.Global().Get("Object").Call("keys", js.Global().Get("localStorage"))
	list := make([]string, keys.Length())
	for i := range list {
		list[i] = keys.Index(i).String()
	}
	return list
}

func (jsBrowser) get(key string) string {
	item := js.Global().Get("localStorage").Call("getItem", key)
	if item.Type() != js.TypeString {
		return ""
	}
	return item.String()
}

func (jsBrowser) set(key, value string) (err error) {
	defer func() {
		if thrown, ok := recover().(js.Error); ok {
			err = thrown
		}
	}()
	storage := js.Global().Get("localStorage")
	if value == "" {
		storage.Call("removeItem", key)
		return nil
	}
	if storage.Get("volatile").Truthy() {
		return errors.New("the browser blocks it")
	}
	storage.Call("setItem", key, value)
	return nil
}

func ignore() { _ = recover() }
