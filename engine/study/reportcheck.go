package study

import (
	"fmt"
	"slices"

	"berth/engine/diag"
	"berth/engine/scenario"
)

var _ scenario.Checked = (*Report)(nil)

// Check implements [scenario.Checked]. Factors and metrics must have unique names, and
// counts must be possible.
func (r *Report) Check(path string, _ *scenario.Timings, p *scenario.Problems) {
	names := make([]string, 0, len(r.Factors)+len(r.Metrics))
	own := func(at, name string) {
		if slices.Contains(names, name) {
			p.Add(at, nameTwice, scenario.Shorten(name))
		}
		names = append(names, name)
	}
	for i, f := range r.Factors {
		own(fmt.Sprintf("%s.factors[%d].name", path, i), f.Name)
	}
	names = names[:0]
	for i, m := range r.Metrics {
		own(fmt.Sprintf("%s.metrics[%d].name", path, i), m.Name)
	}
	if n := r.Runs; n.Failed < 0 || n.Done < n.Failed || n.All < n.Done {
		p.Add(path+".runs", runCounts, n.All, n.Done, n.Failed)
	}
	if r.Verdict != "" && !r.Verdict.Known() {
		p.Add(path+".verdict", diag.UnknownOne, "verdict", scenario.Shorten(string(r.Verdict)))
	}
}
