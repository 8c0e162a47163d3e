package federate

import (
	"cmp"
	"slices"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// result is the outcome of a batch.
type result struct {
	*lab.Batch[*inputs]
	whole  *scenario.Report     // of all that has arrived
	report *federatekind.Report // its body
	rows   []ui.Row             // of the table of what is shown
}

// run is that of a scheduler with the first seed that is back, nil if none is.
func (r *result) run(scheduler string) *bridge.Result {
	if p := r.First(slices.Index(r.Inputs.options.Schedulers, scheduler)); p != nil {
		return p.Result
	}
	return nil
}

// begun looks at a batch that begins, and at its inputs before they run.
func (v *View) begun(b *lab.Batch[*inputs]) error {
	v.forgetRemarks()
	if err := b.Inputs.problems(); err != nil {
		return err
	}
	v.Look() // a long run is known before it ends
	return nil
}

// arrive puts on screen what has arrived.
func (v *View) arrive(b *lab.Batch[*inputs]) {
	if v.result == nil || v.result.Batch != b {
		v.result = &result{Batch: b}
	}
	r := v.result
	r.whole, r.report, r.rows = b.Report, federatekind.ReportOf(b.Report), nil
	v.forgetPlay()
	v.turnToTask()
	v.blameRefused(b)
}

// blameRefused says beside the schedulers which of them cannot run.
func (v *View) blameRefused(b *lab.Batch[*inputs]) {
	for _, p := range b.Parts {
		if p.Err != nil {
			v.Blamed[schedulersID] = cmp.Or(v.Blamed[schedulersID], reasonOf(p.Err))
		}
	}
}

// over asks about what is on screen once the workers are free.
func (v *View) over() {
	v.wantPlay()
	v.followTask()
}

// reasonOf is an error without the path of its field.
func reasonOf(err error) string {
	if all := lab.DiagnosticsOf(err); len(all) > 0 {
		return all[0].Message
	}
	return err.Error()
}
