package lab

import (
	"time"

	"berth/app/ui"
	"berth/engine/policy"
	"berth/wasm/bridge"
)

// autoRunBelow is how long the last run may have taken for the next one to
// start by itself.
const autoRunBelow = time.Second

// Inputs is what the user of a view edits. An edit works on a clone, and the old one
// goes to the undo history as it is. I is a pointer: all of them share the code of
// this package, and each struct would have a copy of it.
type Inputs[I any] interface {
	Clone() I
	Blank() bool           // there is nothing in them to go back to
	Missing() string       // what to do before they can be run; "" when nothing is missing
	SameWork(other I) bool // they give the same result; the name does not count
	Input() bridge.Input   // the scenario, with large texts beside it
	Roles() []Role         // what fills them, by what it is for
	Named() []Named        // what is about something in that
	Name() string          // of the scenario
	SetName(name string)
	// PutText puts a policy that is written as text in place of the one of that name, or
	// beside the others if there is none; nil takes that one away.
	PutText(name string, t *policy.Text)
}

// Phase is how the shown result relates to the inputs on screen, as data-state
// tells it.
type Phase string

// The phases.
const (
	Idle    Phase = "idle"    // the result belongs to other inputs, or there is none
	Running Phase = "running" // it is being computed
	Done    Phase = "done"    // it belongs to the inputs on screen
	Failed  Phase = "error"   // computing it failed
)

// Work is inputs that were run.
type Work[I any] struct {
	Inputs   I
	Document bridge.Document // the inputs as they are saved and shared
}

// State is the work of one visit without the page around it: what is edited,
// what can be undone, and which result is shown. Its methods are transitions;
// none of them waits or touches the document.
type State[I Inputs[I]] struct {
	Inputs  I
	Unsaved bool // there is work that neither an example, a link nor the library holds

	Phase Phase
	Shown *Work[I] // whose result is on screen, kept through errors; nil if there is none
	Err   error    // why the last run failed

	undo       ui.Undo[I]
	generation int  // goes up with every change of the inputs
	reading    int  // files that are still being read
	waiting    bool // Run was pressed while files were being read
	took       time.Duration
}

// Change is one edit; name completes "Undo …".
func (s *State[I]) Change(name string, edit func(I)) {
	in := s.Inputs.Clone()
	edit(in)
	s.replace(name, in)
}

// replace is an edit that was made on a clone already.
func (s *State[I]) replace(name string, in I) {
	s.undo.Push(name, s.Inputs)
	s.become(in, true)
}

// open replaces everything by inputs that are available again elsewhere: an example, a
// link, a saved scenario. They run by themselves; Undo restores the previous inputs.
func (s *State[I]) open(name string, in I) {
	if !s.Inputs.Blank() {
		s.undo.Push(name, s.Inputs)
	}
	s.become(in, false)
	s.took = 0 // how long something else took says nothing about it
}

func (s *State[I]) become(in I, unsaved bool) {
	s.Inputs, s.Unsaved = in, unsaved
	s.changed()
}

// back undoes the last change and forth redoes it; name is the change's, "" if
// there is none.
func (s *State[I]) back() (name string)  { return s.travel(s.undo.Undo) }
func (s *State[I]) forth() (name string) { return s.travel(s.undo.Redo) }

func (s *State[I]) travel(move func(I) (I, string, bool)) string {
	in, name, ok := move(s.Inputs)
	if ok {
		s.Inputs, s.Unsaved = in, true
		s.changed()
	}
	return name
}

// changed takes the result for one of other inputs, unless an undo came back
// to its own.
func (s *State[I]) changed() {
	s.generation++
	s.Err = nil
	s.rest()
}

// rest is the phase while nothing runs.
func (s *State[I]) rest() {
	s.Phase = Idle
	if s.Shown != nil && s.Shown.Inputs.SameWork(s.Inputs) {
		s.Phase = Done
	}
}

// Ready reports whether there is enough to run.
func (s *State[I]) Ready() bool { return s.Inputs.Missing() == "" }

// runsItself reports whether a run is to start now that the inputs have
// settled.
func (s *State[I]) runsItself() bool {
	return s.Phase == Idle && s.Ready() && s.reading == 0 && s.took < autoRunBelow
}

// waitsForRun reports whether the inputs can be run but the user has to ask.
func (s *State[I]) waitsForRun() bool {
	return s.Phase == Idle && s.Ready() && s.took >= autoRunBelow
}

// started marks a run of the present inputs and returns the generation that
// its outcome belongs to.
func (s *State[I]) started() int {
	s.Phase, s.Err, s.waiting = Running, nil, false
	return s.generation
}

// show puts on screen what there is of a result: the run may go on, or have
// been cancelled. It reports false for one of earlier inputs, or of a run that
// failed.
func (s *State[I]) show(generation int, w *Work[I]) bool {
	if generation != s.generation || s.Phase == Failed {
		return false
	}
	s.Shown = w
	if s.Phase == Idle {
		s.Phase = Done
	}
	return true
}

// finished takes up the result of a run, unless the inputs have changed
// meanwhile; then it is dropped.
func (s *State[I]) finished(generation int, w *Work[I], took time.Duration) bool {
	if s.Phase != Running || !s.show(generation, w) {
		return false
	}
	s.Phase, s.took = Done, took
	return true
}

// ended marks a run that failed; the last result stays.
func (s *State[I]) ended(generation int, err error) bool {
	if generation != s.generation || s.Phase != Running {
		return false
	}
	s.Phase, s.Err = Failed, err
	return true
}

// givenUp goes back to what was shown before a run that will have no result.
func (s *State[I]) givenUp() {
	if s.Phase == Running {
		s.rest()
	}
}

// cancelled is givenUp as the user's wish. The next run waits to be asked for:
// this one was too long for somebody.
func (s *State[I]) cancelled() {
	s.took = autoRunBelow
	s.givenUp()
}
