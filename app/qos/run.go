package qos

import (
	"errors"
	"strings"

	"berth/app/lab"
	"berth/engine/diag"
	"berth/engine/qos/qoskind"
	"berth/wasm/bridge"
)

// run is one policy of a batch.
type run struct {
	*lab.Part
	policy   qoskind.PolicyRun
	timeline *timeline // nil until it is asked for
}

// report is what the policy did, nil if that is not known.
func (r *run) report() *qoskind.PolicyReport {
	if r.Result == nil || len(qoskind.ReportOf(r.Result.Report).Policies) == 0 {
		return nil
	}
	return &qoskind.ReportOf(r.Result.Report).Policies[0]
}

// begun forgets what was wrong with earlier inputs.
func (v *View) begun(*lab.Batch[inputs]) error {
	v.stopInspecting()
	v.problems = map[string]diag.List{}
	return nil
}

// partName names the policy of a part.
func partName(b *lab.Batch[inputs], part int) string {
	return qoskind.Of(b.Parts[part].Input.Scenario).Policies[0].Title()
}

// arrive makes what there is of a batch the result on screen, and asks for the
// rest of it.
func (v *View) arrive(b *lab.Batch[inputs]) {
	if v.result == nil || v.result.Batch != b {
		v.result = newResult(b)
	}
	r := v.result
	r.take()
	v.markPinned()
	v.why.forget()
	v.askPairs(r)
	v.askStrips(r)
	v.askShapes(r)
	v.askTimeline(r)
}

// blame puts what a failed run says about a source beside it.
func (v *View) blame(in inputs, err error) {
	var e *bridge.Error
	if !errors.As(err, &e) {
		return
	}
	for slot, s := range in.sources {
		for _, d := range e.Diagnostics {
			if d.Severity == diag.Error && (d.File == s.Name || strings.HasPrefix(d.Field, fieldOf(slot))) {
				v.problems[slot] = append(v.problems[slot], d)
			}
		}
	}
	for _, d := range e.Diagnostics {
		if strings.HasPrefix(d.Field, fieldOf(controllersPart)) {
			v.problems[controllersPart] = append(v.problems[controllersPart], d)
		}
	}
}

// fieldOf is the JSON path of the source in a slot.
func fieldOf(slot string) string {
	name, of, found := strings.Cut(slot, "-")
	if !found {
		return qoskind.Name + "." + slot
	}
	return qoskind.Name + "." + name + strings.ToUpper(of[:1]) + of[1:]
}
