package federate

import (
	"slices"

	"berth/app/lab"
	"berth/engine/federate/federatekind"
	"berth/wasm/bridge"
)

// result is a batch with its report as the kind's own type.
type result struct{ *lab.Batch[*inputs] }

// report returns the report of the results so far.
func (r *result) report() *federatekind.Report { return federatekind.ReportOf(r.Report) }

// run returns the finished run of a scheduler with the first seed; nil for none.
func (r *result) run(scheduler string) *bridge.Result {
	if p := r.First(slices.Index(r.Inputs.options.Schedulers, scheduler)); p != nil {
		return p.Result
	}
	return nil
}

// arrive shows the results of a batch so far. The error of a failed part appears next to the choice
// of schedulers.
func (v *View) arrive(b *lab.Batch[*inputs]) {
	if v.result == nil || v.result.Batch != b {
		v.result = &result{b}
	}
	for _, p := range b.Parts {
		if b.Inputs == v.Inputs && p.Err != nil && v.Form.Blamed[schedulersID] == nil {
			v.Form.Blamed[schedulersID] = []string{reasonOf(p.Err)}
		}
	}
}

// reasonOf returns the message of an error without the path of its field.
func reasonOf(err error) string {
	if all := lab.DiagnosticsOf(err); len(all) > 0 {
		return all[0].Message()
	}
	return err.Error()
}
