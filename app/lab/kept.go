package lab

import (
	"context"

	"berth/app/library"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

const (
	// worthKeeping is the shortest run time, in milliseconds by the worker's clock, for
	// which the result of a part is kept.
	worthKeeping = 1000
	// largestKept is the maximum size of a kept result in bytes. The page encodes and
	// decodes it.
	largestKept = 1 << 20
)

// keptParts keeps the results of long parts, so that a reload of the page continues
// their batch.
type keptParts struct{ shelf *library.Shelf }

// key names the result of a part; "" if the result is not kept. A part that writes the document, or
// that reads files outside the page, always runs.
func (k keptParts) key(p *BatchRun) string {
	if !p.Input.Joined || p.Input.Whole != nil || len(p.Input.Texts) > 0 {
		return ""
	}
	return "part " + p.Input.Scenario.Hash()
}

// Get implements [runs.Keeper].
func (k keptParts) Get(ctx context.Context, p *BatchRun) (*partResult, error) {
	key := k.key(p)
	if key == "" {
		return nil, nil
	}
	text := k.shelf.Row(ctx, key)
	if text == nil {
		return nil, nil
	}
	r, err := scenario.DecodeReport(text)
	if err != nil || r.Engine != scenario.Engine || r.Kind != p.Input.Scenario.Kind || r.Scenario != p.Input.Scenario.Hash() {
		return nil, nil // a browser's storage may hold anything
	}
	return &partResult{result: &bridge.Result{Input: p.Input, Hash: r.Scenario, Report: r}}, nil
}

// Put implements [runs.Keeper].
func (k keptParts) Put(ctx context.Context, p *BatchRun, r *partResult) error {
	if !r.keep {
		return nil
	}
	if text := scenario.EncodeReport(r.result.Report); len(text) <= largestKept {
		k.shelf.PutRow(k.key(p), text)
		_ = k.shelf.SaveRows(ctx) // after an error, a reload only runs the part again
	}
	return nil
}

// keeps reports whether the result of a part is kept. The pictures of the first seed need its
// arrays, which are not stored.
func (k keptParts) keeps(p *BatchRun, r *bridge.Result) bool {
	long := r.Report.Timings != nil && r.Report.Timings.Total >= worthKeeping
	return long && !r.Report.Partial && (p.Seed > 0 || len(r.Arrays) == 0) && k.key(p) != ""
}
