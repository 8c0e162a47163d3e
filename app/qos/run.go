package qos

import (
	"strings"

	"berth/app/lab"
	"berth/engine/diag"
	"berth/engine/qos/qoskind"
	"berth/wasm/bridge"
)

type run struct {
	*lab.BatchRun // of the first finished seed
	policy        qoskind.PolicyRun
	did           *qoskind.PolicyReport // report over all finished seeds; nil before the first
}

// begins returns the questions that a part answers with its run: the spread of its policy, the
// timeline if its policy is followed or on the stage, and the first explanation if it is followed.
func (v *View) begins(b *lab.Batch[*inputs], p *lab.BatchRun) ([]bridge.Asked, lab.Leading) {
	policies := b.Inputs.options.Policies
	if p.Seed > 0 {
		return nil, nil // the page draws only the first seed
	}
	var all []bridge.Asked
	followed := p.Subject == min(v.why.follows, len(policies)-1)
	if followed || v.Stage.OnStage() && p.Subject < mostPictured {
		all = append(all, bridge.Together(qoskind.TimelineQuestion, qoskind.PolicyQuery{}))
	}
	if v.Dials.Following() {
		return all, nil // other panes rest
	}
	all = append(all, bridge.Together(qoskind.SpreadQuestion, qoskind.PolicyQuery{}))
	if followed && policies[p.Subject].Exact() {
		all = append(all, bridge.Together(qoskind.WhyQuestion, qoskind.WhyQuery{Opens: true, Decision: v.why.decision}))
	}
	return all, nil
}

// arrive shows the finished parts of a batch.
func (v *View) arrive(b *lab.Batch[*inputs]) {
	if v.result == nil || v.result.Batch != b {
		v.result = newResult(b)
	}
	v.result.take()
}

// blamed returns the id of the control that corrects a diagnostic, and the message
// there; "" for no control.
func (v *View) blamed(d diag.Diagnostic) (id, text string) {
	if strings.HasPrefix(d.Where(), qoskind.Name+"."+controllersPart) {
		id = controllersPart
	}
	return id, d.String()
}
