package federatekind

import (
	"fmt"

	"berth/engine/scenario"
)

var _ scenario.Checked = (*Report)(nil)

// Check implements [scenario.Checked]. It checks that lists by resource or by bin have one entry
// for each resource or bin.
func (r *Report) Check(path string, t *scenario.Timings, p *scenario.Problems) {
	w := &r.Workload
	resources := len(w.Resources)
	const as = "there are resources"
	p.Fits(path+".workload.capacity", len(w.Capacity), resources, as)
	p.Fits(path+".workload.demand.peak", len(w.Demand.Peak), resources, as)
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		at := fmt.Sprintf("%s.schedulers[%d]", path, i)
		p.Fits(at+".utilisation", len(s.Utilisation), resources, as)
		p.Fits(at+".distribution.count", len(s.Distribution.Count), len(s.Distribution.Lower), "there are bins")
	}
	if t != nil {
		p.Times("running", t.Running, len(r.Schedulers), 0)
	}
}
