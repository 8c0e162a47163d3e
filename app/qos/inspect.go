package qos

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/qos/qoskind"
	"berth/wasm/bridge"
)

// look reads inputs to report their errors and remarks before they run.
func (v *View) look(ctx context.Context, in *inputs) (lab.Looked[*inputs], error) {
	read, report, err := bridge.Look(ctx, v.Engine, in.Input(), qoskind.InspectQuestion)
	return lab.Looked[*inputs]{Inputs: in, Read: read, Found: report}, err
}

// known is the latest report about the source in a slot: of the present inputs, of the last run,
// or of an earlier look with other options; nil if there is none.
func (v *View) known(slot string) *qoskind.Report {
	now := v.Inputs.sources[slot]
	looked := v.Looked.Read != nil && v.Looked.Inputs.sources[slot] == now
	if looked && (v.Looked.Of(v.Inputs) || v.result == nil || v.result.Inputs.sources[slot] != now) {
		return v.Looked.Found.(*qoskind.Report)
	}
	if v.result != nil && v.result.Inputs.sources[slot] == now {
		return v.result.report()
	}
	return nil
}

// inspectionRemarks are the warnings of inputs that have not run yet.
func (v *View) inspectionRemarks() app.UI {
	if v.Phase == lab.Done || !v.Looked.Of(v.Inputs) {
		return app.Text("")
	}
	return lab.Remarks("qos-inspection", v.Looked.Found.(*qoskind.Report).Warnings, nil)
}
