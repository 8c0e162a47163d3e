package worker

import (
	"context"
	"runtime/debug"
	"syscall/js"

	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// memoryLimit is from where memory is worth more than time: a tab that takes
// much more is ended by the browser.
const memoryLimit = 900 << 20

// Serve answers the calls of the page, one after the other, and never returns.
// The boot script (web/assets/engine-worker.js) hands over messages through
// berthOnMessage and tells the page when the program ends or crashes.
func Serve() {
	// The collector shares the worker's only thread with the work, and a graph
	// that is being read is all live: collect half as often as usual.
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(memoryLimit)
	clock := js.Global().Get("performance")
	h := handler.New(func() float64 { return clock.Call("now").Float() })
	h.Yield = newYield()
	calls := make(chan bridge.Message, 16)
	var current bridge.Current
	js.Global().Set("berthOnMessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		m, err := bridge.FromJS(args[0])
		if err != nil {
			panic(err) // without an id no call waits for an answer: let the page see a crash
		}
		if m.Kind == bridge.KindStop {
			current.Stop(m.ID)
			return nil
		}
		calls <- m
		return nil
	}))
	for call := range calls {
		ctx, end := current.Begin(context.Background(), call.ID)
		h.Serve(ctx, call, post)
		end()
	}
}

// newYield returns a function that lets the browser deliver the messages that
// have come while Go was busy: it waits for one that it sends to itself, behind
// them.
func newYield() func() {
	channel := js.Global().Get("MessageChannel").New()
	back := make(chan struct{}, 1)
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		back <- struct{}{}
		return nil
	}))
	return func() {
		channel.Get("port2").Call("postMessage", nil)
		<-back
	}
}

func post(m bridge.Message) {
	data, transfer := m.ToJS()
	js.Global().Call("postMessage", data, transfer)
}
