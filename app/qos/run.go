package qos

import (
	"strings"

	"berth/app/lab"
	"berth/engine/diag"
	"berth/engine/qos/qoskind"
	"berth/wasm/bridge"
)

// run is one policy of a batch.
type run struct {
	*lab.BatchRun // of the first seed that is back
	policy        qoskind.PolicyRun
	did           *qoskind.PolicyReport // over all seeds; nil if that is not known
}

// begins asks for the pictures that a part shows: the strips and shapes of its policy, and for
// the followed policy its timeline and first explanation.
func (v *View) begins(b *lab.Batch[*inputs], p *lab.BatchRun) ([]bridge.Asked, lab.Leading) {
	policies := b.Inputs.options.Policies
	if p.Seed > 0 {
		return nil, nil // of further seeds nothing is drawn
	}
	var all []bridge.Asked
	followed := p.Subject == min(v.follows, len(policies)-1)
	if followed || v.OnStage() && p.Subject < mostPictured {
		all = append(all, bridge.Together(qoskind.TimelineQuestion, qoskind.TimelineQuery{}))
	}
	if v.Following() {
		return all, nil // other panes rest
	}
	all = append(all, bridge.Together(qoskind.StripsQuestion, stripsQuery), bridge.Together(qoskind.ShapesQuestion, qoskind.ShapesQuery{}))
	if followed && policies[p.Subject].Exact() {
		all = append(all, bridge.Together(qoskind.WhyQuestion, qoskind.WhyQuery{Opens: true, Decision: v.why.decision}))
	}
	return all, nil
}

// arrive makes what there is of a batch the result on screen.
func (v *View) arrive(b *lab.Batch[*inputs]) {
	if v.result == nil || v.result.Batch != b {
		v.result = newResult(b)
	}
	v.result.take()
}

// blamed maps a diagnostic to the control that corrects it, and the message there.
func (v *View) blamed(d diag.Diagnostic) (id, text string) {
	if strings.HasPrefix(d.Where(), fieldOf(controllersPart)) {
		id = controllersPart
	}
	return id, d.String()
}

// fieldOf is the JSON path of the source in a slot.
func fieldOf(slot string) string {
	name, of, found := strings.Cut(slot, "-")
	if !found {
		return qoskind.Name + "." + slot
	}
	return qoskind.Name + "." + name + strings.ToUpper(of[:1]) + of[1:]
}
