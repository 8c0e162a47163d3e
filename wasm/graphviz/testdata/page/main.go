//go:build js

// The page that the browser test drives. It defines the function window.render(dot,
// layout, limit, timeout), with times in milliseconds, which resolves to {svg} or
// {error}. A test may set window.early to a promise of the module and window.worker
// to the URL of the worker.
package main

import (
	"context"
	"syscall/js"
	"time"

	"berth/wasm/graphviz"
)

func main() {
	worker := "/graphviz-worker.js"
	if other := js.Global().Get("worker"); !other.IsUndefined() {
		worker = other.String()
	}
	renderer := graphviz.New(worker, "/graphviz.wasm")
	if early := js.Global().Get("early"); !early.IsUndefined() {
		renderer.Module = func() js.Value { return early }
	}
	js.Global().Set("render", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return promise(func() map[string]any {
			return render(renderer, args[0].String(), args[1].String(), milliseconds(args[2]), milliseconds(args[3]))
		})
	}))
	js.Global().Get("document").Get("body").Set("id", "ready")
	select {}
}

func render(r *graphviz.WorkerRenderer, dot, layout string, limit, timeout time.Duration) map[string]any {
	r.Limit = limit
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	svg, err := r.Render(ctx, []byte(dot), graphviz.Options{Layout: graphviz.Layout(layout)})
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"svg": string(svg)}
}

func milliseconds(v js.Value) time.Duration {
	return time.Duration(v.Int()) * time.Millisecond
}

func promise(work func() map[string]any) js.Value {
	var executor js.Func
	executor = js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve := args[0]
		go func() {
			defer executor.Release()
			resolve.Invoke(work())
		}()
		return nil
	})
	return js.Global().Get("Promise").New(executor)
}
