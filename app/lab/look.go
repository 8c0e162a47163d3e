package lab

import (
	"context"

	"berth/wasm/bridge"
)

const (
	// mostExamined is the maximum size, in bytes, of inputs that the engine reads before the page
	// accepts them. Errors in larger ones appear with the run.
	mostExamined = 8 << 20
	// mostLooked is the maximum size, in bytes, of inputs that are read while they
	// wait for their run.
	mostLooked = 128 << 20
)

// Look reads inputs without running them; it blocks. Its error has the diagnostics of the inputs.
type Look[I Inputs[I]] func(ctx context.Context, in I) (Looked[I], error)

// Looked is the outcome of the last look at inputs.
type Looked[I Inputs[I]] struct {
	Inputs I
	Read   *bridge.Result // nil before the first look
	Found  any            // report in the view's own type; nil for none
	Suits  func(in I)     // adapts inputs with new files so that they can run; nil for no change
}

// Of reports whether the look read inputs with the same result as in.
func (k *Looked[I]) Of(in I) bool { return k.Read != nil && k.Inputs.SameWork(in) }

// Look reports errors and remarks about the inputs on screen before they run. If it read the same
// inputs last time, it does nothing.
func (rs *runner[I]) Look() {
	rs.stopLooking()
	in := rs.lab.Inputs
	if rs.lab.system.Checks.Look == nil || in.Missing() != "" || rs.Looked.Of(in) {
		return
	}
	ctx, cancel := context.WithCancel(rs.lab.Page)
	rs.stopLook = cancel
	Ask(nil, rs.lab.Later, func() (Looked[I], error) { return rs.lab.system.Checks.Look(ctx, in) }, func(found Looked[I], err error) {
		defer cancel()
		switch {
		case ctx.Err() != nil || !in.SameWork(rs.lab.Inputs):
		case err != nil:
			rs.lab.Form.blame(in, err)
		default:
			rs.takeLook(found)
		}
		rs.lab.Tell()
	})
}

func (rs *runner[I]) takeLook(found Looked[I]) {
	rs.Looked = found
	rs.lab.Form.forgetErrors()
}

func (rs *runner[I]) stopLooking() {
	if rs.stopLook != nil {
		rs.stopLook()
		rs.stopLook = nil
	}
}
