package lab

import (
	"context"

	"berth/wasm/bridge"
)

const (
	// mostExamined is the maximum size, in bytes, of inputs that are read on trial
	// before they are accepted; errors in larger ones appear with the run.
	mostExamined = 8 << 20
	// mostLooked is the maximum size, in bytes, of inputs that are read while they
	// wait for their run.
	mostLooked = 128 << 20
)

// Look reads inputs without a run; it blocks. Its error has the diagnostics of the
// inputs.
type Look[I Inputs[I]] func(ctx context.Context, in I) (Looked[I], error)

// Looked is what the last look at inputs found.
type Looked[I Inputs[I]] struct {
	Inputs I
	Read   *bridge.Result // nil before the first look
	Found  any            // report of the view's own type; nil for none
	Suits  func(in I)     // change with which files that are new run; nil for none
}

// Of reports whether the look was at inputs with the same result as these.
func (k *Looked[I]) Of(in I) bool { return k.Read != nil && k.Inputs.SameWork(in) }

// Look reports errors and remarks about the inputs on screen before they run. It does
// nothing if it read the same inputs last.
func (l *Lab[I]) Look() {
	l.stopLooking()
	in := l.Inputs
	if l.system.Checks.Look == nil || in.Missing() != "" || l.Looked.Of(in) {
		return
	}
	ctx, cancel := context.WithCancel(l.Page)
	l.stopLook = cancel
	Ask(nil, l.Later, func() (Looked[I], error) { return l.system.Checks.Look(ctx, in) }, func(found Looked[I], err error) {
		defer cancel()
		switch {
		case ctx.Err() != nil || !in.SameWork(l.Inputs):
		case err != nil:
			l.blame(in, err)
		default:
			l.takeLook(found)
		}
		l.Tell()
	})
}

func (l *Lab[I]) takeLook(found Looked[I]) {
	l.Looked = found
	l.forgetErrors()
}

func (l *Lab[I]) stopLooking() {
	if l.stopLook != nil {
		l.stopLook()
		l.stopLook = nil
	}
}
