package bridge

import (
	"context"
	"syscall/js"

	"berth/wasm/javascript"
)

// WebWorkers starts Web Workers. script is the URL of their boot script, exec the URL
// of the engine's wasm_exec.js, and module returns a promise of the engine's compiled
// WebAssembly.Module.
func WebWorkers(script, exec string, module func() js.Value) Spawn {
	return func(receive func(Message)) Worker {
		w := &webWorker{receive: receive, booted: make(chan struct{}), listeners: map[string]js.Func{}}
		go w.boot(script, exec, module)
		return w
	}
}

type webWorker struct {
	receive   func(Message)
	booted    chan struct{} // closed when the worker has its engine or has failed to start
	ended     bool
	name      string             // name of the worker, and of the lock that it holds while it runs
	value     js.Value           // the browser's Worker; undefined if it could not be started
	listeners map[string]js.Func // by event
}

func (w *webWorker) boot(script, exec string, module func() js.Value) {
	defer close(w.booted)
	compiled, err := javascript.Await(context.Background(), module())
	if err != nil {
		w.receive(crash("the engine could not be loaded: " + err.Error()))
		return
	}
	if w.ended {
		return
	}
	w.try(func() {
		w.name = js.Global().Get("crypto").Call("getRandomValues", js.Global().Get("Uint32Array").New(4)).Call("join", "-").String()
		w.value = js.Global().Get("Worker").New(script, map[string]any{"name": w.name})
		w.listen("message", w.message)
		w.listen("messageerror", func(js.Value) { w.receive(crash("the engine sent an unreadable message")) })
		w.listen("error", func(event js.Value) { w.receive(crash(reason(event))) })
		w.value.Call("postMessage", map[string]any{"module": compiled, "exec": exec})
	})
}

func (w *webWorker) listen(event string, handle func(event js.Value)) {
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		handle(args[0])
		return nil
	})
	w.listeners[event] = f
	w.value.Call("addEventListener", event, f)
}

// reason describes an error event. An error in a worker has a message; a script that
// could not be loaded has none.
func reason(event js.Value) string {
	if m := event.Get("message"); m.Type() == js.TypeString {
		return "the engine stopped: " + m.String()
	}
	return "the script of the engine could not be loaded"
}

func (w *webWorker) message(event js.Value) {
	m, err := FromJS(event.Get("data"))
	if err != nil {
		m = crash(err.Error())
	}
	if m.Kind == KindAlive {
		go w.watch()
		return
	}
	w.receive(m)
}

// watch waits for the worker's end by requesting the lock that the worker holds while it runs. It
// stops waiting when the user leaves the page. Otherwise, in Chromium 156, the next page sometimes
// hangs when the workers of this page end.
func (w *webWorker) watch() {
	window, leave := js.Global(), js.Global().Get("AbortController").New()
	abort := leave.Get("abort").Call("bind", leave)
	window.Call("addEventListener", "pagehide", abort)
	defer window.Call("removeEventListener", "pagehide", abort)
	nothing := window.Get("Boolean") // a no-op function to call with the lock
	_, err := javascript.Await(context.Background(), window.Get("navigator").Get("locks").Call("request", w.name,
		map[string]any{"signal": leave.Get("signal")}, nothing))
	if err == nil && !w.ended {
		w.receive(crash("the engine stopped without an error, most likely because the browser ran out of memory; the inputs are kept, and the next run starts a new engine"))
	}
}

// Post waits in a separate goroutine until the worker has its engine, because the
// boot script takes the first message for the engine.
func (w *webWorker) Post(m Message) {
	go func() {
		<-w.booted
		if w.ended || w.value.IsUndefined() {
			return
		}
		w.try(func() {
			data, transfer := m.ToJS()
			w.value.Call("postMessage", data, transfer)
		})
	}()
}

func (w *webWorker) Terminate() {
	w.ended = true
	for event, f := range w.listeners {
		w.value.Call("removeEventListener", event, f)
		f.Release()
	}
	clear(w.listeners)
	if !w.value.IsUndefined() {
		w.value.Call("terminate")
	}
}

// try calls f and reports an exception of the browser as a crash.
func (w *webWorker) try(f func()) {
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case js.Error:
			w.receive(crash("the engine cannot be reached: " + thrown.Error()))
		default:
			panic(thrown)
		}
	}()
	f()
}
