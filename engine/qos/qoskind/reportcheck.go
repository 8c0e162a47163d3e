package qoskind

import (
	"fmt"

	"berth/engine/qos"
	"berth/engine/scenario"
)

var _ scenario.Checked = (*Report)(nil)

// Check implements [scenario.Checked]: it checks that histograms and series have consistent
// lengths.
func (r *Report) Check(path string, t *scenario.Timings, p *scenario.Problems) {
	if len(r.Overheads) > 2 {
		p.Add(path+".overheads", tooManyOverheads, len(r.Overheads))
	}
	for i := range r.Policies {
		run := &r.Policies[i].Run
		at := fmt.Sprintf("%s.policies[%d].run", path, i)
		checkSeries(&run.Series, at+".series", p)
		checkClass(&run.All, at+".all", p)
		for k := range run.Classes {
			checkClass(&run.Classes[k], fmt.Sprintf("%s.classes[%d]", at, k), p)
		}
		if seeds := r.Policies[i].Seeds; seeds != nil && seeds.Runs < 0 {
			p.Add(fmt.Sprintf("%s.policies[%d].seeds.runs", path, i), negativeRuns, seeds.Runs)
		}
	}
	if t != nil {
		p.Times("running", t.Running, len(r.Policies), 0)
	}
}

func checkClass(c *qos.ClassFigures, path string, p *scenario.Problems) {
	if n := len(c.Histogram); n > 0 {
		p.Fits(path+".histogram", n, qos.Bins, "a histogram has bins")
	}
}

func checkSeries(s *qos.SystemSeries, path string, p *scenario.Problems) {
	n := len(s.Time)
	const as = "there are times"
	p.Fits(path+".queue", len(s.Queue), n, as)
	p.Fits(path+".preemptions", len(s.Preemptions), n, as)
	for i := range s.Classes {
		c := &s.Classes[i]
		at := fmt.Sprintf("%s.classes[%d]", path, i)
		p.Fits(at+".requestedCPU", len(c.RequestedCPU), n, as)
		p.Fits(at+".requestedMemory", len(c.RequestedMemory), n, as)
		p.Fits(at+".allocatedCPU", len(c.AllocatedCPU), n, as)
		p.Fits(at+".allocatedMemory", len(c.AllocatedMemory), n, as)
	}
}
