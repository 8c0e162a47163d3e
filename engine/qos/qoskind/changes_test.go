package qoskind_test

import (
	"slices"
	"testing"

	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// Changes are described with the titles and units of the fields.
func TestChangesAreSaidAsFieldsSayThem(t *testing.T) {
	recipe := func(generator string, seed uint64, values map[string]float64) scenario.Source {
		r := workload.Recipe{Generator: generator, Preset: qoskind.GoogleLike, Seed: seed, Parameters: values}
		return scenario.Source{Name: qoskind.GoogleLike, Recipe: &r}
	}
	before := qoskind.New("before", qoskind.Document{
		Workload: recipe(qoskind.RequestsGenerator, 1, nil),
		Hosts:    recipe(qoskind.HostsGenerator, 1, map[string]float64{"count": 62}),
		Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "hybrid"}},
	})
	for _, test := range []struct {
		change func(d *qoskind.Document)
		want   []string
	}{
		{func(d *qoskind.Document) {
			d.Hosts = recipe(qoskind.HostsGenerator, 2, map[string]float64{"count": 620})
			d.Hosts.Name = "another name of the recipe"
		}, []string{"hosts 62 → 620", "hosts: seed 1 → 2"}},
		{func(d *qoskind.Document) {
			d.Workload = recipe(qoskind.RequestsGenerator, 1, map[string]float64{"stretch": 1.5, "requests": 20_000})
		}, []string{"workload: requests 100\u202f000 → 20\u202f000", "workload: length of requests 1 → 1.5\u202ftimes the usual"}},
		{func(d *qoskind.Document) { d.Hosts = scenario.Source{Name: "hosts.csv", Text: "a"} }, []string{"hosts: google-like (generated) → hosts.csv"}},
		{func(d *qoskind.Document) { d.Margin, d.Sample = new(60.0), &qoskind.Sample{Part: 0.1} }, []string{
			"safety margin φ: of the preset → 60\u202fs", "sample of the users: all of them → 10\u202f%",
		}},
		{func(d *qoskind.Document) {
			d.Policies = slices.Clone(d.Policies)
			d.Policies[0].Savings = &qoskind.Savings{Relaxed: 0.5}
			d.Policies[1].Parameters = parameter.Values{"limit": 7}
		}, []string{"qos: enough feasible hosts, of all: all → 50\u202f%", "hybrid: priority-based from a queue of 100 → 7"}},
		{func(d *qoskind.Document) { d.NoLimit = true }, []string{"no limit no → yes"}},
	} {
		after := before.Clone()
		test.change(qoskind.Of(after))
		if got := scenario.Changes(before, after); !slices.Equal(got, test.want) {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
}
