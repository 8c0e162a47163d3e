//go:build js

package graphviz

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"berth/wasm/javascript"
)

// loadLimit limits the wait for graphviz.wasm on a slow network.
const loadLimit = time.Minute

// A WorkerRenderer draws graphs in a Web Worker, one at a time.
type WorkerRenderer struct {
	// Limit is the longest time that one drawing may take.
	Limit time.Duration
	// Module may return a promise of the compiled graphviz.wasm. It is used once; if
	// it fails, the renderer loads the file itself.
	Module func() js.Value

	workerURL, wasmURL string
	token              chan struct{} // guards the fields below, and Module
	module             js.Value      // compiled once, so that a new worker starts in milliseconds
	worker             js.Value      // undefined until needed, and after a timeout
	last               int           // id of the last request
}

// New returns a renderer that runs the worker script and the graphviz.wasm at these
// URLs. It loads nothing before the first use.
func New(workerURL, wasmURL string) *WorkerRenderer {
	return &WorkerRenderer{
		Limit:     DefaultLimit,
		workerURL: workerURL,
		wasmURL:   wasmURL,
		token:     make(chan struct{}, 1),
	}
}

// Render draws a graph as SVG. It blocks, so an event handler must not call it directly. Concurrent
// calls run one after the other. The error is Graphviz's own message, [ErrTimeLimit], or the cause
// that ended ctx. In the last two cases the worker is replaced.
func (r *WorkerRenderer) Render(ctx context.Context, dot []byte, o Options) ([]byte, error) {
	o, err := o.complete(dot)
	if err != nil {
		return nil, err
	}
	if o.Format != SVG {
		return nil, fmt.Errorf("graphviz: a page cannot draw %s: want svg", o.Format)
	}
	select {
	case r.token <- struct{}{}:
		defer func() { <-r.token }()
	case <-ctx.Done():
		return nil, fmt.Errorf("graphviz: %w", context.Cause(ctx))
	}
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	svg, err := r.draw(ctx, dot, o)
	if err != nil {
		return nil, fmt.Errorf("graphviz: %w", err)
	}
	return svg, nil
}

// start loads the module and starts a worker, unless both exist.
func (r *WorkerRenderer) start(ctx context.Context) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("graphviz: starting %s: %v", r.workerURL, thrown)
		}
	}()
	if r.module.IsUndefined() {
		ctx, cancel := context.WithTimeout(ctx, loadLimit)
		defer cancel()
		r.module, err = javascript.Await(ctx, r.compile())
		if err != nil {
			return fmt.Errorf("graphviz: loading %s: %w", r.wasmURL, err)
		}
	}
	if r.worker.IsUndefined() {
		r.worker = js.Global().Get("Worker").New(r.workerURL)
		r.worker.Call("postMessage", map[string]any{"module": r.module})
	}
	return nil
}

// compile returns a promise of the compiled module.
func (r *WorkerRenderer) compile() js.Value {
	if early := r.Module; early != nil {
		r.Module = nil
		return early()
	}
	response := js.Global().Call("fetch", r.wasmURL)
	return js.Global().Get("WebAssembly").Call("compileStreaming", response)
}

func (r *WorkerRenderer) stop() {
	r.worker.Set("onmessage", js.Null())
	r.worker.Set("onerror", js.Null())
	r.worker.Call("terminate")
	r.worker = js.Undefined()
}

type answer struct {
	svg  []byte
	err  error
	dead bool // the worker is unusable
}

// draw asks the worker for a drawing and waits for the answer.
func (r *WorkerRenderer) draw(ctx context.Context, dot []byte, o Options) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, r.Limit, ErrTimeLimit)
	defer cancel()

	answers := make(chan answer, 2) // room for two: the worker's answer and its failure
	heard := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if data := args[0].Get("data"); data.Get("id").Int() == r.last {
			answers <- readAnswer(data)
		}
		return nil
	})
	defer heard.Release()
	failed := js.FuncOf(func(js.Value, []js.Value) any {
		answers <- answer{err: fmt.Errorf("the worker %s does not run", r.workerURL), dead: true}
		return nil
	})
	defer failed.Release()
	r.worker.Set("onmessage", heard)
	r.worker.Set("onerror", failed)
	r.post(dot, o)

	select {
	case a := <-answers:
		if a.dead {
			r.stop()
		}
		return a.svg, a.err
	case <-ctx.Done():
		r.stop()
		return nil, context.Cause(ctx)
	}
}

func (r *WorkerRenderer) post(dot []byte, o Options) {
	r.last++
	text := javascript.Array(dot)
	r.worker.Call("postMessage", map[string]any{
		"id":     r.last,
		"dot":    text,
		"layout": string(o.Layout),
		"format": string(o.Format),
	}, []any{text.Get("buffer")})
}

func readAnswer(data js.Value) answer {
	if said := data.Get("error"); !said.IsUndefined() {
		return answer{err: errors.New(message(said.String()))}
	}
	return answer{svg: javascript.Bytes(data.Get("svg"))}
}
