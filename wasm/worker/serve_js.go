package worker

import (
	"context"
	"runtime/debug"
	"syscall/js"

	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// Serve answers the calls of the page, one after the other, and never returns.
// The boot script (web/assets/engine-worker.js) hands over messages through
// berthOnMessage and tells the page when the program ends or crashes.
func Serve() {
	// The collector shares the worker's only thread with the work, and a graph
	// that is being read is all live: collect half as often as usual.
	debug.SetGCPercent(200)
	clock := js.Global().Get("performance")
	h := handler.New(func() float64 { return clock.Call("now").Float() })
	calls := make(chan bridge.Message, 16)
	js.Global().Set("berthOnMessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		call, err := bridge.FromJS(args[0])
		if err != nil {
			panic(err) // without an id there is nobody to answer: let the page see a crash
		}
		calls <- call
		return nil
	}))
	for call := range calls {
		h.Serve(context.Background(), call, post)
	}
}

func post(m bridge.Message) {
	data, transfer := m.ToJS()
	js.Global().Call("postMessage", data, transfer)
}
