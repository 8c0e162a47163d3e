package main

import (
	"context"
	"runtime/debug"
	"syscall/js"

	"berth/app/lab"
	"berth/app/library"
	"berth/app/placement"
	"berth/wasm/bridge"
	"berth/wasm/first"
	"berth/wasm/graphviz"
	"berth/wasm/store"
	"berth/wasm/worker"
)

// startGCPercent is by how much the heap may grow while the page starts.
const startGCPercent = 500

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
	berth := js.Global().Get("berth")
	modules := berth.Get("modules")
	asset := func(name string) string { return berth.Get("assets").Get(name).String() }
	renderer := graphviz.New(asset("graphviz-worker.js"), asset("graphviz.wasm"))
	program := func(name string) func() js.Value { return func() js.Value { return modules.Get(name) } }
	workers := func(name string) bridge.Spawn {
		return bridge.WebWorkers(asset("engine-worker.js"), asset("wasm_exec.js"), program(name))
	}
	record, arrived := first.NewRecord(), js.Global().Get("document").Get("documentElement").Get("dataset").Get("first").String() == "shown"
	if arrived {
		record = first.Later(firstAnswers())
	}
	engine := bridge.NewPool(engines(), record.Engine(workers("app")))
	engine.ReadMore(workers("readers"), bridge.Compiled(program("readers")))
	warm := func() {
		renderer.Module = modules.Get("graphviz")
		renderer.Warm()
	}
	if arrived {
		whenSettled(warm)
	} else {
		warm()
	}
	// What the start allocates mostly stays: to collect garbage meanwhile would hold
	// it up.
	usual := debug.SetGCPercent(startGCPercent)
	whenSettled(func() { debug.SetGCPercent(usual) })
	shelf := library.NewShelf(engine, func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, "berth") })
	return placement.Services{
		Services: lab.Services{Engine: engine, Workers: engines(), Shelf: shelf, Drafts: store.NewTab(shelf.Store)},
		Renderer: record.Drawing(renderer),
	}
}

// firstAnswers reads those that the page arrived with. They are for its first
// result: somebody who goes on with something else hardly asks the same.
func firstAnswers() func() []byte {
	element := js.Global().Get("document").Call("getElementById", "first-answers") // which goes with the first screen
	return func() []byte { return []byte(element.Get("textContent").String()) }
}

// whenSettled calls f when the page is drawn and idle.
func whenSettled(f func()) {
	var settled js.Func
	settled = js.FuncOf(func(js.Value, []js.Value) any {
		settled.Release()
		f()
		return nil
	})
	js.Global().Get("berth").Get("settled").Call("then", settled)
}
