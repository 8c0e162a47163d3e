package placement

import (
	"reflect"
	"testing"

	"berth/app/lab"
	"berth/engine/placement/placementkind"
)

// pair returns inputs with one federation and the named deployments.
func pair(names ...string) *inputs {
	in := emptyInputs()
	in.files = []*lab.Source{lab.TextSource("f.dot", "graph { a [cpu=1, cpu_cost=1] }")}
	for _, name := range names {
		in.deployments = append(in.deployments, lab.TextSource(name, "graph { x [request=1, limit=1] }"))
	}
	return in
}

func names(in *inputs) (names []string) {
	for _, g := range in.deployments {
		names = append(names, g.Name)
	}
	return names
}

func TestStrategyAndSeeds(t *testing.T) {
	in := emptyInputs()
	in.setStrategy("random")
	in.setSeeds(5)
	want := []placementkind.StrategyRun{{Name: "random", Seeds: 5}, {Name: "heuristic"}}
	if got := in.options.Strategies; !reflect.DeepEqual(got, want) {
		t.Errorf("the strategies are %v, want %v", got, want)
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
	first := lab.TextSource("g.dot", "")
	in.Clone().add(first) // only a trial
	if first.Name != "g.dot" {
		t.Errorf("a trial calls a file %s", first.Name)
	}
	in.add(first, lab.TextSource("g.dot", ""))
	in.setFederation(lab.TextSource("g.dot", ""))
	if got := names(in); got[1] != "g-2.dot" || got[2] != "g-3.dot" || in.files[0].Name != "g-4.dot" {
		t.Errorf("names %v and %s; want g-2.dot, g-3.dot and g-4.dot", got, in.files[0].Name)
	}
}

func TestScenarioRoundTrip(t *testing.T) {
	in := pair("a", "b")
	in.name = "two"
	in.setSeeds(7)
	in.options.Strict = true
	back := inputsOf(new(in.scenario()))
	if got, want := back.scenario().Hash(), in.scenario().Hash(); got != want {
		t.Errorf("hash %s after a round trip, want %s", got, want)
	}
	if back.name != "two" || back.seeds() != 7 {
		t.Errorf("name %q and %d seeds, want two and 7", back.name, back.seeds())
	}
}
