package placement

import (
	"time"

	"berth/app/ui"
	"berth/wasm/bridge"
)

// autoRunBelow is how long the last run may have taken for the next one to
// start by itself.
const autoRunBelow = time.Second

// phase is how the shown result relates to the inputs on screen, as data-state
// tells it.
type phase string

const (
	idle    phase = "idle"    // it belongs to other inputs, or there is none
	running phase = "running" // it is being computed
	done    phase = "done"    // it belongs to them
	failed  phase = "error"   // computing it failed
)

// state is the work of one visit without the page around it: what is edited,
// what can be undone, and the result. Its methods are the transitions; none of
// them waits or touches the document.
type state struct {
	inputs  inputs
	undo    ui.Undo[inputs]
	unsaved bool // there is work that neither an example, a link nor the library holds

	generation int  // goes up with every change of the inputs
	reading    int  // files that are still being read
	waiting    bool // Run was pressed while files were being read

	phase  phase
	result *result // the last one that was got, kept through errors
	err    error   // why the last run failed
	took   time.Duration
}

// result is what running some inputs gave.
type result struct {
	inputs   inputs
	document bridge.Document // the inputs as they are saved and shared
	first    *bridge.Result  // of the strategy that is shown
	picture  *sketch         // of first; nil if it was not drawn in time
	all      *bridge.Result  // of all strategies; nil until they have run
	allErr   error           // why not all of them did
}

// change is one edit; name completes "Undo …".
func (s *state) change(name string, edit func(*inputs)) {
	s.undo.Push(name, s.inputs)
	s.become(edit, true)
}

// open replaces everything by inputs that can be had again: an example, a link,
// a saved scenario. Undo brings back what was there.
func (s *state) open(name string, in inputs) {
	if s.inputs.federation != nil || len(s.inputs.deployments) > 0 {
		s.undo.Push(name, s.inputs)
	}
	s.become(func(now *inputs) { *now = in }, false)
}

func (s *state) become(edit func(*inputs), unsaved bool) {
	s.inputs = s.inputs.clone()
	edit(&s.inputs)
	s.unsaved = unsaved
	s.changed()
}

// back undoes the last change and forth redoes it; name is the change's, "" if
// there is none.
func (s *state) back() (name string)  { return s.travel(s.undo.Undo) }
func (s *state) forth() (name string) { return s.travel(s.undo.Redo) }

func (s *state) travel(move func(inputs) (inputs, string, bool)) string {
	in, name, ok := move(s.inputs)
	if ok {
		s.inputs, s.unsaved = in, true
		s.changed()
	}
	return name
}

// changed takes the result for one of other inputs, unless an undo came back
// to its own.
func (s *state) changed() {
	s.generation++
	s.err = nil
	s.phase = idle
	if s.result != nil && s.result.inputs.sameWork(s.inputs) {
		s.phase = done
	}
}

// runsItself reports whether a run is to start now that the inputs have
// settled.
func (s *state) runsItself() bool {
	return s.phase == idle && s.inputs.ready() && s.reading == 0 && s.took < autoRunBelow
}

// waitsForRun reports whether the inputs can be run but the user has to ask.
func (s *state) waitsForRun() bool {
	return s.phase == idle && s.inputs.ready() && s.took >= autoRunBelow
}

// started marks a run of the present inputs and returns the generation that
// its outcome belongs to.
func (s *state) started() int {
	s.phase, s.err, s.waiting = running, nil, false
	return s.generation
}

// finished takes up the result of a run, unless the inputs have changed
// meanwhile; then it is dropped.
func (s *state) finished(generation int, r *result, took time.Duration) bool {
	if generation != s.generation || s.phase != running {
		return false
	}
	s.phase, s.result, s.took = done, r, took
	return true
}

// ended marks a run that failed; the last result stays.
func (s *state) ended(generation int, err error) bool {
	if generation != s.generation || s.phase != running {
		return false
	}
	s.phase, s.err = failed, err
	return true
}

// cancelled goes back to what was shown before the run. The next one waits to
// be asked for: this one was too long for somebody.
func (s *state) cancelled() {
	s.phase, s.took = idle, autoRunBelow
	if s.result != nil && s.result.inputs.sameWork(s.inputs) {
		s.phase = done
	}
}
