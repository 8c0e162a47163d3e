package handler

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"

	"berth/engine/dot"
	"berth/engine/scenario"
	"berth/engine/workload"
	"berth/wasm/bridge"
)

func (h *Handler) run(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	call.Scenario = "" // a run is always a new one
	_, e, err := question[struct{}](ctx, h, call, p)
	if err != nil {
		return answer{}, err
	}
	report := e.report.Untimed()
	slim, lists := bridge.Detach(report)
	files := map[string]bridge.Blob{
		bridge.ReportFile: bridge.Moved(scenario.EncodeReport(report)),
		bridge.ListsFile:  bridge.Moved(lists),
	}
	for name, array := range e.Arrays() {
		files[name] = bridge.Moved(array)
	}
	return answer{
		body:     bridge.RunAnswer{Report: slim, Timings: e.report.Timings, Memory: memory()},
		files:    files,
		scenario: e.hash,
	}, nil
}

// memory returns the bytes that this process has from the system.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

func explain(_ context.Context, e *experiment, q scenario.ExplainQuery) (answer, error) {
	explanation, err := e.Explain(q)
	return answer{body: explanation}, err
}

func matrix(_ context.Context, e *experiment, q scenario.MatrixQuery) (answer, error) {
	m, err := e.Matrix(q)
	return answer{
		body:  bridge.MatrixAnswer{Rows: m.Rows, Columns: m.Columns},
		files: map[string]bridge.Blob{bridge.ValuesFile: bridge.Moved(bridge.FloatBytes(m.Values))},
	}, err
}

func draw(_ context.Context, e *experiment, q scenario.DrawQuery) (answer, error) {
	drawing, err := e.Draw(q)
	return answer{body: drawing}, err
}

func export(ctx context.Context, e *experiment, q scenario.ExportQuery) (answer, error) {
	name, mime, data, err := e.Export(ctx, q)
	return file(name, mime, data), err
}

// file answers with a file.
func file(name, mime string, data []byte) answer {
	return answer{
		body:  bridge.ExportAnswer{Name: name, Type: mime},
		files: map[string]bridge.Blob{bridge.DataFile: bridge.Moved(data)},
	}
}

func check(ctx context.Context, q bridge.CheckQuery, files map[string]bridge.Blob) (answer, error) {
	if text, ok := files[bridge.TextFile]; ok {
		if err := bridge.AttachTo(ctx, &q.Source, text); err != nil {
			return answer{}, err
		}
	}
	return answer{body: scenario.Check(q.Source, q.Role, q.Strict)}, nil
}

func generate(_ context.Context, q bridge.GenerateQuery, _ map[string]bridge.Blob) (answer, error) {
	var text bytes.Buffer
	write := writeDeployment
	if q.Recipe.Generator == dot.Federation.String() {
		write = writeFederation
	}
	size, err := write(&text, q)
	return answer{body: size, files: map[string]bridge.Blob{bridge.TextFile: bridge.Moved(text.Bytes())}}, err
}

func writeDeployment(w io.Writer, q bridge.GenerateQuery) (bridge.Generated, error) {
	d, err := workload.Deployment(q.Recipe)
	if err != nil {
		return bridge.Generated{}, err
	}
	return bridge.Generated{Nodes: d.Jobs().Len(), Edges: d.Dependencies().Len()}, dot.WriteDeployment(w, d, q.Dialect)
}

func writeFederation(w io.Writer, q bridge.GenerateQuery) (bridge.Generated, error) {
	f, err := workload.Federation(q.Recipe)
	if err != nil {
		return bridge.Generated{}, err
	}
	return bridge.Generated{Nodes: f.Clusters().Len(), Edges: f.Links().Len()}, dot.WriteFederation(w, f, q.Dialect)
}

// document answers with the whole scenario, which need not be runnable.
func (h *Handler) document(ctx context.Context, call bridge.Message, _ progress) (answer, error) {
	var q bridge.Question[struct{}]
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	if q.Scenario == nil {
		return answer{}, errors.New("the body has no scenario")
	}
	left, err := bridge.AttachAll(ctx, q.Scenario, call.Files)
	if err != nil {
		return answer{}, err
	}
	body := bridge.DocumentAnswer{Left: left}
	link, err := scenario.EncodeLink(*q.Scenario)
	if err != nil {
		body.NoLink = err.Error()
	}
	body.Link = link
	return answer{
		body:     body,
		files:    map[string]bridge.Blob{bridge.DocumentFile: bridge.Moved(scenario.Encode(*q.Scenario))},
		scenario: q.Scenario.Hash(),
	}, nil
}
