package qos

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/diag"
	"berth/engine/qos/qoskind"
	"berth/wasm/bridge"
)

// inspectBelow is how large, in bytes, inputs may be to be looked through
// before they are run: a larger trace is read when it is asked for.
const inspectBelow = 128 << 20

// inspection is what a look at inputs found.
type inspection struct {
	inputs *inputs
	report *qoskind.Report // without policies
}

// inspect looks through inputs that wait for Run, so that what is wrong or
// remarkable with them is said before.
func (v *View) inspect() {
	v.stopInspecting()
	in := v.Inputs
	if v.Phase != lab.Idle || in.Missing() != "" || in.Size() > inspectBelow {
		return
	}
	ctx, cancel := context.WithCancel(v.Page)
	v.stopInspecting = cancel
	var report *qoskind.Report
	var err error
	v.Later(func() {
		report, err = bridge.AskInput(ctx, v.Engine, in.Message(), qoskind.InspectQuestion, struct{}{})
	}, func() {
		switch {
		case ctx.Err() != nil || !in.SameWork(v.Inputs):
		case err != nil:
			v.problems = map[string]diag.List{}
			v.blame(in, err)
		default:
			v.inspected, v.problems = inspection{in, report}, map[string]diag.List{}
		}
		cancel()
		v.Tell()
	})
}

// examine looks through inputs.
func (v *View) examine(ctx context.Context, in *inputs) error {
	_, err := bridge.AskInput(ctx, v.Engine, in.Message(), qoskind.InspectQuestion, struct{}{})
	return err
}

// errors counts what is wrong with the sources and controllers.
func (v *View) errors() int {
	n := 0
	for _, found := range v.problems {
		n += len(found)
	}
	return n
}

// known is what was found of the source in a slot, by a look at the inputs or
// by the last run; nil if that is not known.
func (v *View) known(slot string) *qoskind.Report {
	now := v.Inputs.sources[slot]
	switch {
	case v.inspected.report != nil && v.inspected.inputs.sources[slot] == now:
		return v.inspected.report
	case v.result != nil && v.result.Inputs.sources[slot] == now:
		return v.result.report
	}
	return nil
}

// inspectionRemarks are the warnings of inputs that have not run yet.
func (v *View) inspectionRemarks() app.UI {
	if v.Phase == lab.Done || v.inspected.report == nil || !v.inspected.inputs.SameWork(v.Inputs) {
		return app.Text("")
	}
	return lab.Remarks("qos-inspection", v.inspected.report.Warnings, nil)
}
