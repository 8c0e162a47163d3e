package qos

import (
	"slices"

	"berth/app/lab"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

type result struct {
	*lab.Batch[*inputs]
	runs  []*run           // by policy of the inputs, with or without a result
	taken *scenario.Report // its parts are the reports of the runs
}

// report returns the report of the finished runs.
func (r *result) report() *qoskind.Report { return qoskind.ReportOf(r.Report) }

func newResult(b *lab.Batch[*inputs]) *result {
	r := &result{Batch: b}
	for i, p := range b.Inputs.options.Policies {
		r.runs = append(r.runs, &run{BatchRun: b.Parts[i], policy: p})
	}
	return r
}

// take assigns the parts of the batch's report to the finished runs.
func (r *result) take() {
	if r.taken == r.Report {
		return // the report may not cover all finished parts
	}
	next := 0
	r.taken = r.Report
	for i, one := range r.runs {
		if first := r.firstOf(i); first != nil {
			one.BatchRun, one.did = first, &r.report().Policies[next]
			next++
		}
	}
}

// firstOf returns the first finished part of a policy; nil for none. It drops the long
// arrays of the policy's other seeds.
func (r *result) firstOf(policy int) *lab.BatchRun {
	first := r.First(policy)
	for _, p := range r.Parts {
		if p.Subject == policy && p != first && p.Result != nil {
			p.Result.Arrays = nil
		}
	}
	return first
}

// policies returns the reports of the finished runs, in the order of the inputs.
func (r *result) policies() []*qoskind.PolicyReport {
	var all []*qoskind.PolicyReport
	for _, one := range r.there() {
		all = append(all, one.did)
	}
	return all
}

// there returns the finished runs.
func (r *result) there() []*run {
	return slices.DeleteFunc(slices.Clone(r.runs), func(one *run) bool { return one.did == nil })
}

// classNames lists the classes that have requests in any run, in the order of the table
// of classes.
func (r *result) classNames() []string {
	var names []string
	for _, c := range r.report().Classes {
		if slices.ContainsFunc(r.policies(), func(p *qoskind.PolicyReport) bool { return p.Run.Class(c.Name) != nil }) {
			names = append(names, c.Name)
		}
	}
	return names
}

// baseline returns the index of the policy that the others are compared with: the first baseline
// or, if there is none, the last policy.
func baseline(policies []*qoskind.PolicyReport) int {
	if i := slices.IndexFunc(policies, func(p *qoskind.PolicyReport) bool { return qos.IsBaseline(p.Name) }); i >= 0 {
		return i
	}
	return len(policies) - 1
}

// pinned returns the policies of the pinned result; nil if there is none.
func (v *View) pinned() []*qoskind.PolicyReport {
	var all []*qoskind.PolicyReport
	if r := v.Pins.Pinned(); r != nil {
		body := qoskind.ReportOf(r)
		for i := range body.Policies {
			all = append(all, &body.Policies[i])
		}
	}
	return all
}

// titled returns the policy with this title; nil for none.
func titled(policies []*qoskind.PolicyReport, title string) *qoskind.PolicyReport {
	if i := slices.IndexFunc(policies, func(p *qoskind.PolicyReport) bool { return p.Title == title }); i >= 0 {
		return policies[i]
	}
	return nil
}
