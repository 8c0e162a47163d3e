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

// Look reads inputs without a run; it blocks. It returns the result of reading and a
// function that shows it, or nil for nothing to show. Its error has the diagnostics
// of the inputs.
type Look[I any] func(ctx context.Context, in I) (read *bridge.Result, show func(), err error)

// looking is the state of the last look at inputs.
type looking[I any] struct {
	stop func() // cancels the current look; nil for none
	of   I      // inputs that were read last
	read *bridge.Result
}

// Looked is the report that a look at inputs found.
type Looked[I Inputs[I], R any] struct {
	Inputs I
	Report R
	Known  bool // false before the first look
}

// Of reports whether the report is of inputs with the same result as these.
func (k *Looked[I, R]) Of(in I) bool { return k.Known && k.Inputs.SameWork(in) }

// Look reports errors and remarks about the inputs on screen before they run. It does
// nothing if it read the same inputs last.
func (l *Lab[I]) Look() {
	l.stopLooking()
	in := l.Inputs
	if l.system.Checks.Look == nil || in.Missing() != "" || l.lookedAt(in) != nil {
		return
	}
	ctx, cancel := context.WithCancel(l.Page)
	l.looking.stop = cancel
	var read *bridge.Result
	var show func()
	var err error
	l.Later(func() { read, show, err = l.system.Checks.Look(ctx, in) }, func() {
		defer cancel()
		switch {
		case ctx.Err() != nil || !in.SameWork(l.Inputs):
		case err != nil:
			l.blame(in, err)
		default:
			l.takeLook(in, read, show)
		}
		l.Tell()
	})
}

func (l *Lab[I]) takeLook(in I, read *bridge.Result, show func()) {
	l.looking.of, l.looking.read = in, read
	l.forgetErrors()
	if show != nil {
		show()
	}
}

// lookedAt returns the result of reading inputs; nil if they are not the ones that
// were read last.
func (l *Lab[I]) lookedAt(in I) *bridge.Result {
	if l.looking.read == nil || !l.looking.of.SameWork(in) {
		return nil
	}
	return l.looking.read
}

func (l *Lab[I]) stopLooking() {
	if l.looking.stop != nil {
		l.looking.stop()
		l.looking.stop = nil
	}
}
