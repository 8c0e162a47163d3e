package main

import (
	"context"
	"syscall/js"

	"berth/app/library"
	"berth/app/placement"
	"berth/wasm/bridge"
	"berth/wasm/graphviz"
	"berth/wasm/store"
	"berth/wasm/worker"
)

// engines is how many workers the page keeps: one answers questions about what
// is on screen while the other compares strategies.
const engines = 2

// servedPage is the whole program in a Web Worker: there it serves the page as
// its engine. In the page itself it does nothing and reports false.
func servedPage() bool {
	if js.Global().Get("document").Truthy() {
		return false
	}
	worker.Serve()
	return true
}

// services are the engine, Graphviz and the storage of the browser.
func services() placement.Services {
	modules := js.Global().Get("berth").Get("modules")
	asset := func(name string) string { return js.Global().Get("berth").Get("assets").Get(name).String() }
	renderer := graphviz.New(asset("graphviz-worker.js"), asset("graphviz.wasm"))
	renderer.Module = modules.Get("graphviz")
	renderer.Warm()
	return placement.Services{
		Engine:   bridge.NewPool(engines, bridge.WebWorkers(asset("engine-worker.js"), asset("wasm_exec.js"), modules.Get("app"))),
		Renderer: renderer,
		Shelf: library.NewShelf(func(ctx context.Context) (*store.Store, error) {
			return store.Open(ctx, "berth")
		}),
	}
}
