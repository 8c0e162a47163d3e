package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"syscall/js"

	_ "berth/engine/kinds"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

func main() {
	p := page{
		pool:    bridge.NewPool(2, bridge.WebWorkers("engine-worker.js", "wasm_exec.js", func() js.Value { return js.Global().Get("engine") })),
		results: map[string]*bridge.Result{},
		cancel:  map[string]context.CancelFunc{},
	}
	p.export("run", p.run)
	p.export("runWith", p.runWith)
	p.export("report", p.report)
	p.export("stop", p.stop)
	p.export("draw", p.draw)
	p.export("crash", p.crash)
	select {}
}

type page struct {
	pool    *bridge.WorkerPool
	results map[string]*bridge.Result
	cancel  map[string]context.CancelFunc
}

// export makes f a function of the window that returns a promise.
func (p page) export(name string, f func(args []js.Value) (any, error)) {
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		var work js.Func
		work = js.FuncOf(func(_ js.Value, settle []js.Value) any {
			go func() {
				defer work.Release()
				answer, err := f(args)
				if err != nil {
					answer = asError(err)
				}
				text, _ := json.Marshal(answer)
				settle[0].Invoke(string(text))
			}()
			return nil
		})
		return js.Global().Get("Promise").New(work)
	}))
}

func asError(err error) any {
	if e, ok := errors.AsType[*bridge.Error](err); ok {
		return map[string]any{"error": e}
	}
	return map[string]any{"error": bridge.Error{Kind: "page", Message: err.Error()}}
}

// run(name, scenario) runs a scenario under a name. While it runs, window.progress
// has the name and a phase.
func (p page) run(args []js.Value) (any, error) {
	var in bridge.Input
	var err error
	in.Scenario, err = scenario.Decode([]byte(args[1].String()))
	if err != nil {
		return nil, err
	}
	return p.start(args[0].String(), in)
}

// runWith(name, scenario, text) runs a scenario whose federation or workload is text:
// a File, a Blob or a string.
func (p page) runWith(args []js.Value) (any, error) {
	var in bridge.Input
	if err := json.Unmarshal([]byte(args[1].String()), &in.Scenario); err != nil {
		return nil, err
	}
	first := in.Scenario.Slots()[0]
	if text := args[2]; text.Type() == js.TypeString {
		first.Source.Text = text.String()
	} else {
		in.Texts = map[string]bridge.Blob{first.Name: bridge.BlobOf(text)}
	}
	return p.start(args[0].String(), in)
}

func (p page) start(name string, in bridge.Input) (any, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.cancel[name] = cancel
	r, err := p.pool.Run(ctx, in, func(at scenario.Progress) {
		js.Global().Set("progress", name+" "+at.Phase)
	})
	if err != nil {
		return nil, err
	}
	p.results[name] = r
	return map[string]any{"hash": r.Hash, "timings": r.Report.Timings, "memory": r.Memory, "partial": r.Report.Partial}, nil
}

// report(name) returns the bytes of a report, and whether they equal the encoding of
// the page's decoded report.
func (p page) report(args []js.Value) (any, error) {
	r := p.results[args[0].String()]
	same := bytes.Equal(scenario.EncodeReport(r.Report.Untimed()), r.JSON)
	return map[string]any{"report": r.JSON, "same": same}, nil
}

// stop(name) cancels a run.
func (p page) stop(args []js.Value) (any, error) {
	p.cancel[args[0].String()]()
	return nil, nil
}

// draw(name, query) draws the result of a run.
func (p page) draw(args []js.Value) (any, error) {
	var q placementkind.DrawQuery
	if err := json.Unmarshal([]byte(args[1].String()), &q); err != nil {
		return nil, err
	}
	return bridge.Ask(context.Background(), p.pool, p.results[args[0].String()], placementkind.DrawQuestion, q)
}

// crash() sends a call that no worker can answer, not even with an error.
func (p page) crash([]js.Value) (any, error) {
	_, err := p.pool.Call(context.Background(), bridge.Message{Body: []byte("{}")}, nil)
	return nil, err
}
