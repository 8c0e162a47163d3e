package lab

import (
	"context"

	"berth/wasm/bridge"
)

const (
	// mostExamined is how large, in bytes, inputs may be that are read by way of trial: of
	// larger ones the run tells what is wrong.
	mostExamined = 8 << 20
	// mostLooked is how large inputs may be that are read while they wait for their run.
	mostLooked = 128 << 20
)

// Look reads inputs without a run; it blocks. It returns what was read and what puts it on
// screen, nil for nothing. Its error says what is wrong with the inputs.
type Look[I any] func(ctx context.Context, in I) (read *bridge.Result, show func(), err error)

// looking is the last look at inputs that have not run.
type looking[I any] struct {
	stop func() // nil if none is under way
	of   I      // what was read last
	read *bridge.Result
}

// Look says what is wrong or remarkable with the inputs on screen before they run,
// unless it has read just these.
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

// lookedAt is what was read of inputs; nil if these were not looked at last.
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
