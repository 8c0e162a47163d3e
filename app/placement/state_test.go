package placement

import (
	"errors"
	"testing"
	"time"

	"berth/engine/scenario"
)

// pair returns inputs with one federation and the named deployments.
func pair(names ...string) inputs {
	in := emptyInputs()
	in.federation = textGraph("f.dot", "graph { a [cpu=1, cpu_cost=1] }")
	for _, name := range names {
		in.deployments = append(in.deployments, textGraph(name, "graph { x [request=1, limit=1] }"))
	}
	return in
}

func newState(in inputs) *state {
	return &state{inputs: in, phase: idle}
}

// runNow goes through a run of the present inputs.
func (s *state) runNow(took time.Duration) {
	s.finished(s.started(), &result{inputs: s.inputs}, took)
}

func names(in inputs) (names []string) {
	for _, g := range in.deployments {
		names = append(names, g.Name)
	}
	return names
}

func TestAChangeMakesTheResultOld(t *testing.T) {
	s := newState(pair("d.dot"))
	s.runNow(time.Millisecond)
	if s.phase != done {
		t.Fatalf("after a run the phase is %q, want done", s.phase)
	}
	s.change("seed", func(in *inputs) { in.options.Seed = 7 })
	if s.phase != idle || s.result == nil {
		t.Errorf("after a change the phase is %q and the result %v; want idle and the last result", s.phase, s.result)
	}
	s.back()
	if s.phase != done {
		t.Errorf("after undoing the change the phase is %q, want done: the result is that of these inputs", s.phase)
	}
}

func TestAutoRun(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(s *state)
		itself  bool
		waits   bool
	}{
		{"first run", func(*state) {}, true, false},
		{"after a short run", func(s *state) { s.runNow(999 * time.Millisecond); s.change("x", seed(1)) }, true, false},
		{"after a long run", func(s *state) { s.runNow(time.Second); s.change("x", seed(1)) }, false, true},
		{"nothing changed", func(s *state) { s.runNow(time.Millisecond) }, false, false},
		{"while running", func(s *state) { s.started() }, false, false},
		{"after a failure", func(s *state) { s.ended(s.started(), errors.New("no")) }, false, false},
		{"after a failure and a change", func(s *state) { s.ended(s.started(), errors.New("no")); s.change("x", seed(1)) }, true, false},
		{"after a cancelled run", func(s *state) { s.started(); s.cancelled() }, false, true},
		{"while files are read", func(s *state) { s.reading++ }, false, false},
		{"without a federation", func(s *state) { s.change("x", func(in *inputs) { in.federation = nil }) }, false, false},
		{"without a deployment", func(s *state) { s.change("x", func(in *inputs) { in.deployments = nil }) }, false, false},
	} {
		s := newState(pair("d.dot"))
		c.prepare(s)
		if got := s.runsItself(); got != c.itself {
			t.Errorf("%s: runsItself = %v, want %v", c.name, got, c.itself)
		}
		if got := s.waitsForRun(); got != c.waits {
			t.Errorf("%s: waitsForRun = %v, want %v", c.name, got, c.waits)
		}
	}
}

func seed(n uint64) func(*inputs) { return func(in *inputs) { in.options.Seed = n } }

func TestAResultOfEarlierInputsIsDropped(t *testing.T) {
	s := newState(pair("d.dot"))
	s.runNow(time.Millisecond)
	shown := s.result
	generation := s.started()
	s.change("seed", seed(1))
	if s.finished(generation, &result{}, time.Second) {
		t.Error("a result of other inputs was taken up")
	}
	if s.ended(generation, errors.New("no")) {
		t.Error("an error of other inputs was taken up")
	}
	if s.result != shown || s.phase != idle || s.err != nil {
		t.Errorf("phase %q, error %v, same result %v; want idle, none, true", s.phase, s.err, s.result == shown)
	}
}

func TestAFailedRunKeepsTheLastResult(t *testing.T) {
	s := newState(pair("d.dot"))
	s.runNow(time.Millisecond)
	shown := s.result
	s.ended(s.started(), errors.New("broken"))
	if s.phase != failed || s.err == nil || s.result != shown {
		t.Errorf("phase %q, error %v, same result %v; want error, broken, true", s.phase, s.err, s.result == shown)
	}
}

func TestOpeningNeverDestroysWork(t *testing.T) {
	s := newState(emptyInputs())
	s.open("open example", pair("example.dot"))
	if s.unsaved || s.undo.CanUndo() != "" {
		t.Fatal("an example over nothing is neither unsaved nor undone")
	}
	s.change("seed", seed(42))
	if !s.unsaved {
		t.Fatal("an edit is unsaved work")
	}
	s.open("open link", pair("link.dot"))
	if s.unsaved {
		t.Error("what a link gave can be had again: it is not unsaved")
	}
	if name := s.back(); name != "open link" || s.inputs.options.Seed != 42 || !s.unsaved {
		t.Errorf("undo of %q gave seed %d, unsaved %v; want open link, 42, true", name, s.inputs.options.Seed, s.unsaved)
	}
	if s.forth(); names(s.inputs)[0] != "link.dot" {
		t.Errorf("redo gave %v, want link.dot", names(s.inputs))
	}
}

func TestUndoKeepsTheStateItWasGiven(t *testing.T) {
	s := newState(pair("a", "b", "c"))
	s.change("move", func(in *inputs) { in.move(in.deployments[2], -1) })
	s.change("remove", func(in *inputs) { in.remove(in.deployments[0]) })
	s.change("strategy", func(in *inputs) { in.setStrategy("random") })
	s.back()
	s.back()
	s.back()
	if got := names(s.inputs); len(got) != 3 || got[1] != "b" || s.inputs.strategy() != "heuristic" {
		t.Errorf("after three undos: %v with %s, want [a b c] with heuristic", got, s.inputs.strategy())
	}
}

func TestStrategyAndSeeds(t *testing.T) {
	in := emptyInputs()
	in.setStrategy("random")
	in.setSeeds(5)
	want := []scenario.StrategyRun{{Name: "random", Seeds: 5}, {Name: "heuristic"}}
	for i, run := range in.options.Strategies {
		if run != want[i] {
			t.Errorf("strategy %d is %v, want %v", i, run, want[i])
		}
	}
	in.setStrategy("mine")
	if in.strategy() != "mine" || len(in.options.Strategies) != 3 {
		t.Errorf("a strategy that was not there: %v", in.options.Strategies)
	}
}

func TestMoveStopsAtTheEnds(t *testing.T) {
	in := pair("a", "b")
	in.move(in.deployments[0], -1)
	in.move(in.deployments[1], +1)
	if got := names(in); got[0] != "a" || got[1] != "b" {
		t.Errorf("moved beyond the ends: %v", got)
	}
}

func TestNamesAreTold(t *testing.T) {
	in := pair("g.dot")
	in.add(textGraph("g.dot", ""), textGraph("g.dot", ""))
	in.setFederation(textGraph("g.dot", ""))
	if got := names(in); got[1] != "g-2.dot" || got[2] != "g-3.dot" || in.federation.Name != "g-4.dot" {
		t.Errorf("names %v and %s; want g-2.dot, g-3.dot and g-4.dot", got, in.federation.Name)
	}
}

func TestScenarioRoundTrip(t *testing.T) {
	in := pair("a", "b")
	in.name = "two"
	in.setSeeds(7)
	in.options.Strict = true
	back := inputsOf(in.scenario())
	if got, want := back.scenario().Hash(), in.scenario().Hash(); got != want {
		t.Errorf("hash %s after a round trip, want %s", got, want)
	}
	if back.name != "two" || back.seeds() != 7 {
		t.Errorf("name %q and %d seeds, want two and 7", back.name, back.seeds())
	}
}
