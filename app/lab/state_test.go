package lab

import (
	"errors"
	"slices"
	"testing"
	"time"

	"berth/engine/policy"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// toy is inputs that consist of a list of jobs.
type toy struct {
	name string
	jobs []string
	seed int
	both bool // under both policies

	texts []*Source
}

func (in *toy) Clone() *toy {
	return &toy{in.name, slices.Clone(in.jobs), in.seed, in.both, slices.Clone(in.texts)}
}
func (in *toy) Blank() bool          { return len(in.jobs) == 0 }
func (in *toy) SameWork(o *toy) bool { return slices.Equal(in.jobs, o.jobs) && in.seed == o.seed }
func (in *toy) Input() bridge.Input {
	s := requests(in.name, in.seed)
	if in.both {
		d := qoskind.Of(s)
		d.Policies = append(d.Policies, qoskind.PolicyRun{Name: "priority"})
	}
	return bridge.Input{Scenario: s}
}
func (in *toy) Roles() []SourceRole {
	return []SourceRole{{Name: "text", Sources: in.texts, Path: "toys.text"}}
}
func (in *toy) Named() []Named               { return nil }
func (in *toy) Name() string                 { return in.name }
func (in *toy) SetName(name string)          { in.name = name }
func (in *toy) PutText(string, *policy.Text) {}
func (in *toy) Missing() string {
	if in.Blank() {
		return "There is no job yet."
	}
	return ""
}

// requests returns a scenario of kind "qos".
func requests(name string, seed int) scenario.Scenario {
	return qoskind.New(name, qoskind.Document{
		Seed:     uint64(seed),
		Workload: scenario.Source{Name: "w.csv", Text: "id,submit_s,duration_s,cpu,memory,class\n1,0,10,1,1,gold\n"},
		Hosts:    scenario.Source{Name: "h.csv", Text: "name,cpu,memory\na,4,4\n"},
		Policies: []qoskind.PolicyRun{{Name: "qos"}},
	})
}

func seed(n int) func(*toy) { return func(in *toy) { in.seed = n } }

func newState(jobs ...string) *State[*toy] {
	return &State[*toy]{Inputs: &toy{jobs: jobs}, Phase: Idle}
}

// runNow performs a complete run of the current inputs.
func (s *State[I]) runNow(took time.Duration) {
	s.finished(s.started(), &Work[I]{Inputs: s.Inputs}, took)
}

func TestAChangeMakesTheResultOld(t *testing.T) {
	s := newState("a")
	s.runNow(time.Millisecond)
	if s.Phase != Done {
		t.Fatalf("after a run the phase is %q, want done", s.Phase)
	}
	s.Change("seed", seed(7))
	if s.Phase != Idle || s.Shown == nil {
		t.Errorf("after a change the phase is %q and %v is shown; want idle and the last result", s.Phase, s.Shown)
	}
	s.back()
	if s.Phase != Done {
		t.Errorf("after undoing the change the phase is %q, want done: the result is that of these inputs", s.Phase)
	}
}

func TestAutoRun(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(s *State[*toy])
		itself  bool
		waits   bool
	}{
		{"first run", func(*State[*toy]) {}, true, false},
		{"after a short run", func(s *State[*toy]) { s.runNow(999 * time.Millisecond); s.Change("x", seed(1)) }, true, false},
		{"after a long run", func(s *State[*toy]) { s.runNow(time.Second); s.Change("x", seed(1)) }, false, true},
		{"nothing changed", func(s *State[*toy]) { s.runNow(time.Millisecond) }, false, false},
		{"while running", func(s *State[*toy]) { s.started() }, false, false},
		{"after a failure", func(s *State[*toy]) { s.ended(s.started(), errors.New("no")) }, false, false},
		{"after a failure and a change", func(s *State[*toy]) { s.ended(s.started(), errors.New("no")); s.Change("x", seed(1)) }, true, false},
		{"after a cancelled run", func(s *State[*toy]) { s.started(); s.cancelled() }, false, true},
		{"while files are read", func(s *State[*toy]) { s.reading++ }, false, false},
		{"with something missing", func(s *State[*toy]) { s.Change("x", func(in *toy) { in.jobs = nil }) }, false, false},
	} {
		s := newState("a")
		c.prepare(s)
		if got := s.runsItself(); got != c.itself {
			t.Errorf("%s: runsItself = %v, want %v", c.name, got, c.itself)
		}
		if got := s.waitsForRun(); got != c.waits {
			t.Errorf("%s: waitsForRun = %v, want %v", c.name, got, c.waits)
		}
	}
}

func TestAResultOfEarlierInputsIsDropped(t *testing.T) {
	s := newState("a")
	s.runNow(time.Millisecond)
	shown := s.Shown
	generation := s.started()
	s.Change("seed", seed(1))
	if s.finished(generation, &Work[*toy]{Inputs: &toy{}}, time.Second) {
		t.Error("a result of other inputs was taken up")
	}
	if s.show(generation, &Work[*toy]{Inputs: &toy{}}) {
		t.Error("part of a result of other inputs was shown")
	}
	if s.ended(generation, errors.New("no")) {
		t.Error("an error of other inputs was taken up")
	}
	if s.Shown != shown || s.Phase != Idle || s.Err != nil {
		t.Errorf("phase %q, error %v, same result %v; want idle, none, true", s.Phase, s.Err, s.Shown == shown)
	}
}

func TestAFailedRunKeepsTheLastResult(t *testing.T) {
	s := newState("a")
	s.runNow(time.Millisecond)
	shown := s.Shown
	s.ended(s.started(), errors.New("broken"))
	if s.Phase != Failed || s.Err == nil || s.Shown != shown {
		t.Errorf("phase %q, error %v, same result %v; want error, broken, true", s.Phase, s.Err, s.Shown == shown)
	}
}

// After any sequence of operations, the page shows no run in progress once no run can give a
// result.
func TestNothingRunsForEver(t *testing.T) {
	s := newState("a")
	generation := s.started()
	s.givenUp()
	if s.Phase != Idle {
		t.Errorf("a run that was given up leaves the phase %q, want idle", s.Phase)
	}
	s.ended(generation, errors.New("late"))
	if s.Phase != Idle || s.Err != nil {
		t.Errorf("its late error leaves the phase %q and %v, want idle and none", s.Phase, s.Err)
	}
	s.runNow(time.Millisecond)
	s.started()
	s.givenUp()
	if s.Phase != Done {
		t.Errorf("a second run of the same inputs that was given up leaves the phase %q, want done", s.Phase)
	}
	generation = s.started()
	s.ended(generation, errors.New("broken"))
	s.givenUp()
	if s.show(generation, &Work[*toy]{Inputs: s.Inputs}) || s.Phase != Failed {
		t.Errorf("part of the result of a run that failed makes the phase %q, want error", s.Phase)
	}
}

func TestPartOfAResultIsShown(t *testing.T) {
	s := newState("a")
	generation := s.started()
	part := &Work[*toy]{Inputs: s.Inputs}
	if !s.show(generation, part) || s.Shown != part || s.Phase != Running {
		t.Errorf("phase %q, shown %v; want running, and the part", s.Phase, s.Shown == part)
	}
	s.cancelled()
	late := &Work[*toy]{Inputs: s.Inputs}
	if !s.show(generation, late) || s.Shown != late || s.Phase != Done {
		t.Errorf("phase %q, shown %v; want done, and what a cancelled run had computed", s.Phase, s.Shown == late)
	}
}

func TestOpeningNeverDestroysWork(t *testing.T) {
	s := newState()
	s.open("open example", &toy{jobs: []string{"example"}})
	if s.Unsaved || s.undo.CanUndo() != "" {
		t.Fatal("an example over nothing is neither unsaved nor undone")
	}
	s.Change("seed", seed(42))
	if !s.Unsaved {
		t.Fatal("an edit is unsaved work")
	}
	s.open("open link", &toy{jobs: []string{"link"}})
	if s.Unsaved {
		t.Error("inputs of a link count as unsaved, although the link still has them")
	}
	if name := s.back(); name != "open link" || s.Inputs.seed != 42 || !s.Unsaved {
		t.Errorf("undo of %q gave seed %d, unsaved %v; want open link, 42, true", name, s.Inputs.seed, s.Unsaved)
	}
	s.forth()
	if s.Inputs.jobs[0] != "link" {
		t.Errorf("redo gave %v, want link", s.Inputs.jobs)
	}
}

func TestUndoKeepsTheStateItWasGiven(t *testing.T) {
	s := newState("a", "b", "c")
	s.Change("move", func(in *toy) { in.jobs[1], in.jobs[2] = in.jobs[2], in.jobs[1] })
	s.Change("remove", func(in *toy) { in.jobs = slices.Delete(in.jobs, 0, 1) })
	s.Change("seed", seed(3))
	s.back()
	s.back()
	s.back()
	if got := s.Inputs; !slices.Equal(got.jobs, []string{"a", "b", "c"}) || got.seed != 0 {
		t.Errorf("after three undos: %v with seed %d, want [a b c] with 0", got.jobs, got.seed)
	}
}
