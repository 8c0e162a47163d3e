package qos

import (
	"slices"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// result is what running some inputs has given so far.
type result struct {
	*lab.Batch[inputs]
	runs []*run // by policy of the inputs, whether they are back or not

	// What follows is of the runs that are back, and nil until there is one.
	whole      *scenario.Report
	report     *qoskind.Report // in whole
	figures    *figures
	rows, work []ui.Row // of the tables
	pairs      []*pairing
}

func newResult(b *lab.Batch[inputs]) *result {
	r := &result{Batch: b}
	for _, p := range b.Parts {
		r.runs = append(r.runs, &run{Part: p, policy: qoskind.Of(p.Input.Scenario).Policies[0]})
	}
	return r
}

// take makes the figures of what is back; [View.markPinned] makes its tables.
func (r *result) take() {
	r.whole = r.Report
	r.report = qoskind.ReportOf(r.whole)
	r.figures = newFigures(r)
}

// policies are the reports that are there, in the order of the inputs.
func (r *result) policies() []*qoskind.PolicyReport {
	var all []*qoskind.PolicyReport
	for _, run := range r.runs {
		if p := run.report(); p != nil {
			all = append(all, p)
		}
	}
	return all
}

// partial reports whether a run was stopped before its end or is not there.
func (r *result) partial() bool {
	return slices.ContainsFunc(r.runs, func(run *run) bool {
		p := run.report()
		return p == nil || p.Run.Partial
	})
}

// classFigures finds a class in a run; "all" is all of them. It is nil if the
// run has no request of the class.
func classFigures(r *qoskind.Run, class string) *qoskind.ClassFigures {
	if class == r.All.Name {
		return &r.All
	}
	for i := range r.Classes {
		if r.Classes[i].Name == class {
			return &r.Classes[i]
		}
	}
	return nil
}

// classNames lists the classes that have requests in any run, as the table of
// classes has them.
func (r *result) classNames() []string {
	var names []string
	for _, c := range r.report.Classes {
		for _, p := range r.policies() {
			if classFigures(&p.Run, c.Name) != nil {
				names = append(names, c.Name)
				break
			}
		}
	}
	return names
}

// baseline is the index of the policy that the others are compared with: the
// priority-based one, or else the last.
func baseline(policies []*qoskind.PolicyReport) int {
	if i := slices.IndexFunc(policies, func(p *qoskind.PolicyReport) bool { return p.Name == qos.PriorityBased().Name }); i >= 0 {
		return i
	}
	return len(policies) - 1
}
