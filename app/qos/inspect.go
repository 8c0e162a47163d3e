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

// known returns the latest report that describes the source in a slot; nil for none. The report may
// be about the current inputs, the last run, or earlier inputs with other options.
func (v *View) known(slot string) *qoskind.Report {
	now := v.Inputs.sources[slot]
	looked := v.Runs.Looked.Read != nil && v.Runs.Looked.Inputs.sources[slot] == now
	if looked && (v.Runs.Looked.Of(v.Inputs) || v.result == nil || v.result.Inputs.sources[slot] != now) {
		return v.Runs.Looked.Found.(*qoskind.Report)
	}
	if v.result != nil && v.result.Inputs.sources[slot] == now {
		return v.result.report()
	}
	return nil
}

// inspectionRemarks draws the warnings about inputs that have not run yet.
func (v *View) inspectionRemarks() app.UI {
	if v.Phase == lab.Done || !v.Runs.Looked.Of(v.Inputs) {
		return app.Text("")
	}
	return lab.Remarks("qos-inspection", v.Runs.Looked.Found.(*qoskind.Report).Warnings, nil)
}
