package placement

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"berth/app/lab"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

const (
	defaultStrategy = "heuristic"
	defaultSeeds    = 20
)

// inputs is what the user edits. It is a value: an edit works on a copy made
// with Clone, and the old one goes to the undo history as it is.
type inputs struct {
	name        string
	federation  *lab.Source // nil when there is none yet
	deployments []*lab.Source
	options     placementkind.Document // all but the graphs
}

// Clone copies what an edit may change.
func (in inputs) Clone() inputs {
	in.deployments = slices.Clone(in.deployments)
	in.options.Strategies = slices.Clone(in.options.Strategies)
	in.options.WhatIf = slices.Clone(in.options.WhatIf)
	return in
}

func emptyInputs() inputs {
	return inputs{options: placementkind.Document{
		Strategies: []placementkind.StrategyRun{{Name: defaultStrategy}, {Name: "random", Seeds: defaultSeeds}},
	}}
}

// Blank reports whether there is no graph.
func (in inputs) Blank() bool { return len(in.graphs()) == 0 }

// Missing says which graph to get first.
func (in inputs) Missing() string {
	switch {
	case in.federation == nil:
		return "There is no federation yet: choose a file, or generate one."
	case len(in.deployments) == 0:
		return "There is no deployment yet: choose a file, or generate one."
	}
	return ""
}

// Name is the scenario's.
func (in inputs) Name() string { return in.name }

// Named is the same with another name.
func (in inputs) Named(name string) inputs {
	in.name = name
	return in
}

// Size is the length of all texts in bytes.
func (in inputs) Size() int {
	size := 0
	for _, g := range in.graphs() {
		size += g.Size()
	}
	return size
}

// scenario is the document that is run, saved and shared.
func (in inputs) scenario() scenario.Scenario {
	p := in.options
	if in.federation != nil {
		p.Federation = placementkind.Source(in.federation.Source)
	}
	p.Deployments = make([]placementkind.Source, len(in.deployments))
	for i, g := range in.deployments {
		p.Deployments[i] = placementkind.Source(g.Source)
	}
	return placementkind.New(in.name, p)
}

// Message is the same document for a worker: large texts stand beside it.
func (in inputs) Message() bridge.Input {
	texts := map[string]bridge.Blob{}
	if in.federation != nil && in.federation.Large() {
		texts[placementkind.FederationSlot] = in.federation.File
	}
	for i, g := range in.deployments {
		if g.Large() {
			texts[placementkind.DeploymentSlot(i)] = g.File
		}
	}
	return bridge.Input{Scenario: in.scenario(), Texts: texts}
}

// SameWork reports whether two inputs give the same result.
func (in inputs) SameWork(other inputs) bool {
	return in.federation == other.federation &&
		slices.Equal(in.deployments, other.deployments) &&
		reflect.DeepEqual(in.options, other.options)
}

// inputsOf is the inverse of scenario.
func inputsOf(s scenario.Scenario) inputs {
	in := inputs{name: s.Name, options: *placementkind.Of(s)}
	if f := placementkind.Of(s).Federation; f.Text != "" || f.Recipe != nil {
		in.federation = &lab.Source{Source: scenario.Source(f)}
	}
	for _, source := range placementkind.Of(s).Deployments {
		in.deployments = append(in.deployments, &lab.Source{Source: scenario.Source(source)})
	}
	in.options.Federation, in.options.Deployments = placementkind.Source{}, nil
	if len(in.options.Strategies) == 0 {
		in.options.Strategies = emptyInputs().options.Strategies
	}
	return in
}

// strategy is the one that runs first and is shown.
func (in inputs) strategy() string { return in.options.Strategies[0].Name }

// setStrategy moves a strategy to the front, so that it runs first.
func (in *inputs) setStrategy(name string) {
	runs := in.options.Strategies
	i := slices.IndexFunc(runs, func(r placementkind.StrategyRun) bool { return r.Name == name })
	if i < 0 {
		in.options.Strategies = append([]placementkind.StrategyRun{{Name: name}}, runs...)
		return
	}
	run := runs[i]
	in.options.Strategies = slices.Insert(slices.Delete(runs, i, i+1), 0, run)
}

// seeds is over how many seeds the random strategy runs.
func (in inputs) seeds() int {
	for _, r := range in.options.Strategies {
		if r.Name == "random" {
			return max(r.Seeds, 1)
		}
	}
	return 0
}

func (in *inputs) setSeeds(n int) {
	for i, r := range in.options.Strategies {
		if r.Name == "random" {
			in.options.Strategies[i].Seeds = n
			return
		}
	}
	in.options.Strategies = append(in.options.Strategies, placementkind.StrategyRun{Name: "random", Seeds: n})
}

func (in inputs) phi() float64 {
	if in.options.Phi == nil {
		return placement.DefaultPhi
	}
	return *in.options.Phi
}

// setFederation makes g the federation.
func (in *inputs) setFederation(g *lab.Source) {
	in.federation = nil
	g.Name = in.unusedName(g.Name)
	in.federation = g
}

// add puts deployments behind the others.
func (in *inputs) add(graphs ...*lab.Source) {
	for _, g := range graphs {
		g.Name = in.unusedName(g.Name)
		in.deployments = append(in.deployments, g)
	}
}

// unusedName is name, with a number if another graph has it: diagnostics are
// told apart by it.
func (in inputs) unusedName(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(in.graphs(), func(g *lab.Source) bool { return g.Name == name })
	}
	stem, extension := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	unused := name
	for n := 2; taken(unused); n++ {
		unused = fmt.Sprintf("%s-%d%s", stem, n, extension)
	}
	return unused
}

// graphs lists the federation, if there is one, and the deployments.
func (in inputs) graphs() []*lab.Source {
	if in.federation == nil {
		return in.deployments
	}
	return append([]*lab.Source{in.federation}, in.deployments...)
}

// The indices of what is no deployment; these count from 0.
const (
	federationIndex = -1
	noIndex         = -2
)

// index is where a graph stands, noIndex for one that is not there.
func (in inputs) index(g *lab.Source) int {
	switch i := slices.Index(in.deployments, g); {
	case g == nil:
		return noIndex
	case g == in.federation:
		return federationIndex
	case i >= 0:
		return i
	}
	return noIndex
}

// at is the graph with that index, nil if there is none.
func (in inputs) at(index int) *lab.Source {
	switch {
	case index == federationIndex:
		return in.federation
	case 0 <= index && index < len(in.deployments):
		return in.deployments[index]
	}
	return nil
}

// replace puts another graph where old was, as deployment or as federation.
func (in *inputs) replace(old, new *lab.Source) {
	if in.federation == old {
		in.federation = new
		return
	}
	if i := slices.Index(in.deployments, old); i >= 0 {
		in.deployments[i] = new
	}
}

// remove takes a graph away.
func (in *inputs) remove(g *lab.Source) {
	if in.federation == g {
		in.federation = nil
		return
	}
	if i := slices.Index(in.deployments, g); i >= 0 {
		in.deployments = slices.Delete(in.deployments, i, i+1)
	}
}

// move shifts a deployment by one place up (-1) or down (+1); beyond the ends
// it stays where it is.
func (in *inputs) move(g *lab.Source, by int) {
	i := slices.Index(in.deployments, g)
	if j := i + by; i >= 0 && j >= 0 && j < len(in.deployments) {
		in.deployments[i], in.deployments[j] = in.deployments[j], in.deployments[i]
	}
}
