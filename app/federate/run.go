package federate

import (
	"slices"

	"berth/app/lab"
	"berth/engine/federate/federatekind"
	"berth/wasm/bridge"
)

// result is the outcome of a batch.
type result struct{ *lab.Batch[*inputs] }

// report is the report of all that has arrived.
func (r *result) report() *federatekind.Report { return federatekind.ReportOf(r.Report) }

// run is the finished run of a scheduler with the first seed, nil for none.
func (r *result) run(scheduler string) *bridge.Result {
	if p := r.First(slices.Index(r.Inputs.options.Schedulers, scheduler)); p != nil {
		return p.Result
	}
	return nil
}

// arrive shows the batch so far, and beside the schedulers which of them cannot run.
func (v *View) arrive(b *lab.Batch[*inputs]) {
	if v.result == nil || v.result.Batch != b {
		v.result = &result{b}
	}
	for _, p := range b.Parts {
		if b.Inputs == v.Inputs && p.Err != nil && v.Blamed[schedulersID] == nil {
			v.Blamed[schedulersID] = []string{reasonOf(p.Err)}
		}
	}
}

// reasonOf is an error without the path of its field.
func reasonOf(err error) string {
	if all := lab.DiagnosticsOf(err); len(all) > 0 {
		return all[0].Message()
	}
	return err.Error()
}
