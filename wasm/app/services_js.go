package main

import (
	"context"
	"syscall/js"

	"berth/app/lab"
	"berth/app/library"
	"berth/app/placement"
	"berth/wasm/bridge"
	"berth/wasm/graphviz"
	"berth/wasm/store"
	"berth/wasm/worker"
)

// engines is how many workers the page may start, as many as the machine runs at
// once: a comparison gives each its share. There are two at least, so that
// questions about what is on screen are answered meanwhile, and not so many that
// their memory becomes a burden.
func engines() int {
	cores := 0
	if n := js.Global().Get("navigator").Get("hardwareConcurrency"); n.Type() == js.TypeNumber {
		cores = n.Int()
	}
	return max(2, min(8, cores))
}

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
	engine := bridge.NewPool(engines(), bridge.WebWorkers(asset("engine-worker.js"), asset("wasm_exec.js"), modules.Get("app")))
	shelf := library.NewShelf(engine, func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, "berth") })
	return placement.Services{
		Services: lab.Services{Engine: engine, Workers: engines(), Shelf: shelf, Drafts: store.NewTab(shelf.Store)},
		Renderer: renderer,
	}
}
