package lab

import (
	"time"

	"berth/app/ui"
	"berth/engine/policy"
	"berth/wasm/bridge"
)

// autoRunBelow is the longest last run after which the next one starts without a click.
const autoRunBelow = time.Second

// Inputs is the value that the user of a view edits. An edit changes a clone; the old value goes
// unchanged to the undo history. I must be a pointer type, because Go compiles generic code once
// for all pointers but once for every struct.
type Inputs[I any] interface {
	Clone() I
	Blank() bool           // empty, so that undo can skip it
	Missing() string       // sentence that asks for a missing input; "" if the inputs can run
	SameWork(other I) bool // reports whether both give the same result; the names may differ
	Input() bridge.Input   // the scenario, with large texts outside it
	Roles() []SourceRole   // the sources by role
	Named() []Named        // the parts that refer to objects in the sources
	Name() string          // of the scenario
	SetName(name string)
	// PutText replaces the written policy of this name, or adds t if no policy has
	// it; nil removes the policy.
	PutText(name string, t *policy.Text)
}

// Phase relates the result on screen to the inputs. It is the data-state of the
// result.
type Phase string

// Values of Phase.
const (
	Idle    Phase = "idle"    // the result belongs to other inputs, or there is no result
	Running Phase = "running" // the result is being computed
	Done    Phase = "done"    // the result belongs to the inputs on screen
	Failed  Phase = "error"   // the run failed
)

// Work is a run: its inputs and their document.
type Work[I any] struct {
	Inputs   I
	Document bridge.Document // scenario of the inputs, for saving and sharing
}

// State is the work of one visit without the page: the inputs, the undo history, and
// the result on screen. Its methods are transitions; none of them blocks or touches
// the document.
type State[I Inputs[I]] struct {
	Inputs  I
	Unsaved bool // no example, link or library has the work

	Phase Phase
	Shown *Work[I] // inputs of the result on screen, also after an error; nil for none
	Err   error    // why the last run failed

	undo       ui.Undo[I]
	generation int  // increases with every change of the inputs
	reading    int  // number of files being read
	waiting    bool // start a run once the files are read
	took       time.Duration
}

// Change makes one edit; name completes "Undo …".
func (s *State[I]) Change(name string, edit func(I)) {
	in := s.Inputs.Clone()
	edit(in)
	s.replace(name, in)
}

// replace completes an edit with the edited clone.
func (s *State[I]) replace(name string, in I) {
	s.undo.Push(name, s.Inputs)
	s.become(in, true)
}

// open replaces the inputs by others that can be opened again: an example, a link, a saved
// scenario. They run without a click. Undo restores the previous inputs.
func (s *State[I]) open(name string, in I) {
	if !s.Inputs.Blank() {
		s.undo.Push(name, s.Inputs)
	}
	s.become(in, false)
	s.took = 0 // the previous run does not predict the time of the next
}

func (s *State[I]) become(in I, unsaved bool) {
	s.Inputs, s.Unsaved = in, unsaved
	s.changed()
}

// back undoes the last change and forth redoes it. They return its name; "" if there was no change.
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

// changed must be called after every change of the inputs. It marks the result on
// screen as outdated, unless an undo restored the inputs of that result.
func (s *State[I]) changed() {
	s.generation++
	s.Err = nil
	s.rest()
}

// rest sets the phase for a state in which nothing runs.
func (s *State[I]) rest() {
	s.Phase = Idle
	if s.Shown != nil && s.Shown.Inputs.SameWork(s.Inputs) {
		s.Phase = Done
	}
}

// Ready reports whether no input is missing.
func (s *State[I]) Ready() bool { return s.Inputs.Missing() == "" }

// runsItself reports whether settled inputs run without a click.
func (s *State[I]) runsItself() bool {
	return s.Phase == Idle && s.Ready() && s.reading == 0 && s.took < autoRunBelow
}

// waitsForRun reports whether the inputs are ready but wait for a click, because the last run was
// long.
func (s *State[I]) waitsForRun() bool {
	return s.Phase == Idle && s.Ready() && s.took >= autoRunBelow
}

// started marks the beginning of a run and returns the generation of its inputs.
func (s *State[I]) started() int {
	s.Phase, s.Err, s.waiting = Running, nil, false
	return s.generation
}

// show puts a result on screen, which may be partial. It reports false if the inputs
// have changed since the run began, or if the run failed.
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

// finished shows the result of a run that ended. It reports false if the inputs have
// changed since the run began.
func (s *State[I]) finished(generation int, w *Work[I], took time.Duration) bool {
	if s.Phase != Running || !s.show(generation, w) {
		return false
	}
	s.Phase, s.took = Done, took
	return true
}

// ended marks a run that failed. The previous result stays on screen.
func (s *State[I]) ended(generation int, err error) bool {
	if generation != s.generation || s.Phase != Running {
		return false
	}
	s.Phase, s.Err = Failed, err
	return true
}

// givenUp ends a run without a result. The phase becomes Done if the result on screen
// still belongs to the inputs, otherwise Idle.
func (s *State[I]) givenUp() {
	if s.Phase == Running {
		s.rest()
	}
}

// cancelled is givenUp at the user's request. The next run waits for a click, because this one was
// too long for the user.
func (s *State[I]) cancelled() {
	s.took = autoRunBelow
	s.givenUp()
}
