package federatekind

import (
	"fmt"

	"berth/engine/figure"
	"berth/engine/scenario"
)

// Join makes the reports of the parts of a document, in the order of
// [Document.Parts], into the report of the whole; nil is one of a part that did
// not run.
func Join(whole scenario.Document, parts []*scenario.Report, t *scenario.Timings) (scenario.ReportBody, error) {
	d := whole.(*Document)
	bodies := make([]*Report, len(parts))
	for i, part := range parts {
		if part != nil {
			bodies[i] = ReportOf(part)
		}
	}
	t.Running = scenario.RunningOf(parts, len(d.Schedulers))
	r, err := d.join(bodies)
	if err != nil {
		return nil, err
	}
	d.Trace.Identify(r.Workload.SHA256)
	return r, nil
}

// join does so with the bodies of the reports, which it does not change.
func (d *Document) join(reports []*Report) (*Report, error) {
	schedulers := len(d.Schedulers)
	if want := schedulers * d.seeds(); len(reports) != want {
		return nil, fmt.Errorf("federate: %d reports of %d parts", len(reports), want)
	}
	r := &Report{Schedulers: []SchedulerReport{}, Warnings: []string{}}
	first := true
	for _, part := range reports {
		switch {
		case part == nil:
			r.Cancelled = true
			continue
		case len(part.Schedulers) != 1:
			return nil, fmt.Errorf("federate: the report of a part has %d schedulers", len(part.Schedulers))
		case first:
			r.Workload, r.Warnings, first = part.Workload, part.Warnings, false
		}
		r.Cancelled = r.Cancelled || part.Cancelled
	}
	for s := range d.Schedulers {
		if reports[s] == nil {
			continue
		}
		x := reports[s].Schedulers[0]
		if d.seeds() > 1 {
			summary := summarise(reports, s, schedulers)
			x.Summary = &summary
		}
		r.Schedulers = append(r.Schedulers, x)
	}
	return r, nil
}

// summarise goes over the seeds of one scheduler, whose runs are a step apart.
func summarise(runs []*Report, first, step int) Summary {
	var ended []*Report
	for i := first; i < len(runs); i += step {
		if runs[i] != nil && !runs[i].Cancelled {
			ended = append(ended, runs[i])
		}
	}
	return Summary{Runs: len(ended), Metrics: figure.Estimates(shown, ended)}
}
