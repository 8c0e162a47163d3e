package federatekind_test

import (
	"slices"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/input/workload"
	"berth/engine/scenario"
)

// Changes are described with the titles and units of the fields.
func TestChangesAreSaidAsFieldsSayThem(t *testing.T) {
	trace := func(preset string, values map[string]float64) scenario.Source {
		r := workload.Recipe{Generator: workload.JobsGenerator, Preset: preset, Seed: 1, Parameters: values}
		return scenario.Source{Name: preset, Recipe: &r}
	}
	before := federatekind.New("before", federatekind.Document{Trace: trace("cloudera", nil), Workers: 100, GMs: 2, LMs: 2, Schedulers: []string{"megha"}})
	for _, test := range []struct {
		change func(d *federatekind.Document)
		want   []string
	}{
		{func(d *federatekind.Document) {
			d.Trace = trace("cloudera", map[string]float64{"interarrival": 0.2, "burst": 5})
		}, []string{"trace: mean time between two jobs 0.1 → 0.2\u202fs", "trace: arrivals in bursts 1 → 5\u202ftimes as fast"}},
		{func(d *federatekind.Document) { d.Workers, d.GMs, d.LMs = 2000, 3, 4 }, []string{"GMs 2 → 3", "LMs 2 → 4", "workers 100 → 2\u202f000"}},
		{func(d *federatekind.Document) { d.Load, d.LaunchDelay = new(2.0), new(0.02) }, []string{
			"launch delay: as in the preset → 20\u202fms", "arrival rate factor 1 → 2",
		}},
		{func(d *federatekind.Document) { d.Costs = &federatekind.Costs{Verify: new(5e-6)} }, []string{"LM verifies 50 → 5\u202fµs"}},
		{func(d *federatekind.Document) { d.Capacity = map[string]float64{"memory": 32} }, []string{"memory 16 → 32\u202fGB"}},
		{func(d *federatekind.Document) { d.Sparrow = &federatekind.Sparrow{Probes: new(3)} }, []string{"sparrow: probes of a task 2 → 3"}},
	} {
		after := before.Clone()
		test.change(federatekind.Of(after))
		if got := scenario.Changes(before, after); !slices.Equal(got, test.want) {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
}
