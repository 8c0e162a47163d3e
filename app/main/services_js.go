package main

import (
	"context"
	"runtime/debug"
	"syscall/js"
	"time"

	"berth/app/lab"
	"berth/app/library"
	"berth/app/placement"
	"berth/app/shell"
	"berth/wasm/bridge"
	"berth/wasm/first"
	"berth/wasm/graphviz"
	"berth/wasm/store"
	"berth/wasm/worker"
)

// The garbage collection targets, during and after the start of the page, as for
// [debug.SetGCPercent]. The collector shares the page's only thread with everything that people
// see. Above memoryLimit saving memory matters more than speed.
const (
	startGCPercent = 500
	gcPercent      = 300
	memoryLimit    = 900 << 20
)

// rest is the pause between an edit and the check and run of the inputs.
const rest = 300 * time.Millisecond

// engines returns the number of workers that the page may start: one for each
// processor, so that a comparison can use them all. It is at least two, so that the
// page can ask questions during a run, and at most eight, to limit their memory.
func engines() int {
	cores := 0
	if n := js.Global().Get("navigator").Get("hardwareConcurrency"); n.Type() == js.TypeNumber {
		cores = n.Int()
	}
	return max(2, min(8, cores))
}

// servedPage serves the page as its engine, when this program runs in a Web Worker. In
// the page itself it does nothing and reports false.
func servedPage() bool {
	if js.Global().Get("document").Truthy() {
		return false
	}
	worker.Serve()
	return true
}

// services sets up the engine, Graphviz and the storage of the browser.
func services() placement.Services {
	berth := js.Global().Get("berth")
	modules := berth.Get("modules")
	asset := func(name string) string { return berth.Get("assets").Get(name).String() }
	renderer := graphviz.New(asset("graphviz-worker.js"), asset("graphviz.wasm"))
	workers := bridge.WebWorkers(asset("engine-worker.js"), asset("wasm_exec.js"), func() js.Value { return modules.Get("app") })
	record, arrived := first.NewRecording(), js.Global().Get("document").Get("documentElement").Get("dataset").Get("first").String() == "shown"
	if arrived {
		record = first.Later(firstAnswers())
	}
	engine := bridge.NewPool(engines(), record.Engine(workers))
	renderer.Module = func() js.Value { return modules.Get("graphviz") } // few pictures need it
	// Most memory that the program allocates at its start stays in use, so collecting garbage would
	// only delay the start.
	debug.SetGCPercent(startGCPercent)
	debug.SetMemoryLimit(memoryLimit)
	whenSettled(func() { debug.SetGCPercent(gcPercent) })
	shelf := library.NewShelf(engine, func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, "berth") })
	drafts := store.NewTab(shelf.Store)
	if shell.Embedded() { // a Berth embedded in another page must not leave traces in this browser
		kept := store.Memory()
		shelf = library.NewShelf(engine, func(context.Context) (*store.Store, error) { return kept, nil })
		drafts = store.NewFrame()
	}
	return placement.Services{
		Services: lab.Services{Engine: engine, Workers: engines(), Shelf: shelf, Drafts: drafts, Rest: rest},
		Renderer: record.Drawing(renderer),
		Narrow:   func() bool { return berth.Get("narrow").Get("matches").Bool() },
	}
}

// firstAnswers reads the recorded answers in the page. They belong to its first result, so a user
// who continues other work does not need them.
func firstAnswers() func() []byte {
	element := js.Global().Get("document").Call("getElementById", "first-answers") // removed together with the first screen
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
