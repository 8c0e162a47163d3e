package qos

import (
	"slices"

	"berth/engine/qos/qoskind"
)

// pinned are the policies of the pinned result, none without one.
func (v *View) pinned() []*qoskind.PolicyReport {
	var all []*qoskind.PolicyReport
	if r := v.Pinned(); r != nil {
		body := qoskind.ReportOf(r)
		for i := range body.Policies {
			all = append(all, &body.Policies[i])
		}
	}
	return all
}

// titled is the policy of that title, nil if it is not among them.
func titled(policies []*qoskind.PolicyReport, title string) *qoskind.PolicyReport {
	if i := slices.IndexFunc(policies, func(p *qoskind.PolicyReport) bool { return p.Title == title }); i >= 0 {
		return policies[i]
	}
	return nil
}

// markPinned draws the pinned result behind the bars and curves on screen, and adds the
// differences from it to the table of classes.
func (v *View) markPinned() {
	was := v.pinned()
	v.result.rows = v.result.classRows(was)
	v.result.draw(was)
}
