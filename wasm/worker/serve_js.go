package worker

import (
	"context"
	"runtime/debug"
	"syscall/js"

	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// memoryLimit is the heap size above which saving memory matters more than speed: the
// browser kills a tab that takes much more.
const memoryLimit = 900 << 20

// Serve answers the page's calls, one after the other, and never returns. The boot
// script (web/assets/engine-worker.js) passes messages to berthOnMessage and notifies
// the page when the program ends or crashes.
func Serve() {
	// The collector shares the worker's only thread with the run, and all memory of a graph is live
	// while it is read. So collect half as often as by default.
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(memoryLimit)
	clock := js.Global().Get("performance")
	h := handler.New(func() float64 { return clock.Call("now").Float() })
	h.Yield = newYield()
	h.Limit = func(bytes int) { js.Global().Set("berthMemory", bytes) } // enforced by the boot script
	calls := make(chan bridge.Message, 16)
	var current bridge.Current
	js.Global().Set("berthOnMessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		m, err := bridge.FromJS(args[0])
		if err != nil {
			panic(err) // without its id no answer could match the call, so crash visibly
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

// newYield returns a function that lets the browser deliver the messages that arrived while Go was
// busy. The function posts a message to itself and waits for it: the browser delivers it after all
// earlier messages.
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
