package placement

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"berth/app/lab"
	"berth/engine/format"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/policy"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// inputs is what the user edits. It is a value: an edit works on a copy made
// with Clone, and the old one goes to the undo history as it is.
type inputs struct {
	name        string
	federation  *lab.Source   // nil when there is none yet
	joined      []*lab.Source // further files of the federation
	deployments []*lab.Source
	options     placementkind.Document // all but the graphs
	after       string                 // hash of the scenario whose worker has their result, "" for none
}

// Clone copies what an edit may change.
func (in *inputs) Clone() *inputs {
	c := *in
	c.deployments, c.joined = slices.Clone(c.deployments), slices.Clone(c.joined)
	c.options.Strategies = slices.Clone(c.options.Strategies)
	c.options.WhatIf, c.options.Rules = slices.Clone(c.options.WhatIf), slices.Clone(c.options.Rules)
	c.options.Pools = slices.Clone(c.options.Pools)
	return &c
}

func emptyInputs() *inputs {
	in := &inputs{}
	for _, name := range placement.Names() {
		if p, _ := placement.Lookup(name); p.Default {
			in.options.Strategies = append(in.options.Strategies, placementkind.StrategyRun{Name: name, Seeds: p.Seeds})
		}
	}
	return in
}

// Blank reports whether there is no graph.
func (in *inputs) Blank() bool { return len(in.graphs()) == 0 }

// Missing says which graph to get first.
func (in *inputs) Missing() string {
	switch {
	case in.federation == nil:
		return "There is no federation yet: choose a file, or generate one."
	case len(in.deployments) == 0:
		return "There is no deployment yet: choose a file, or generate one."
	}
	return ""
}

// Name is the scenario's.
func (in *inputs) Name() string { return in.name }

// SetName implements [lab.Inputs].
func (in *inputs) SetName(name string) { in.name = name }

// Size is the length of all texts in bytes.
func (in *inputs) Size() int {
	size := 0
	for _, g := range in.graphs() {
		size += g.Size()
	}
	return size
}

// scenario is the document that is run, saved and shared.
func (in *inputs) scenario() scenario.Scenario {
	p := in.options
	if in.federation != nil {
		p.Federation = placementkind.Source(in.federation.Source)
	}
	for _, g := range in.joined {
		p.Federations = append(p.Federations, placementkind.Source(g.Source))
	}
	p.Deployments = make([]placementkind.Source, len(in.deployments))
	for i, g := range in.deployments {
		p.Deployments[i] = placementkind.Source(g.Source)
	}
	return placementkind.New(in.name, p)
}

// Message is the same document for a worker: large texts are files next to it.
func (in *inputs) Message() bridge.Input {
	texts := map[string]bridge.Blob{}
	put := func(slot string, g *lab.Source) {
		if g.Large() {
			texts[slot] = g.File
		}
	}
	if in.federation != nil {
		put(placementkind.FederationSlot, in.federation)
	}
	for i, g := range in.joined {
		put(placementkind.JoinedSlot(i), g)
	}
	for i, g := range in.deployments {
		put(placementkind.DeploymentSlot(i), g)
	}
	return bridge.Input{Scenario: in.scenario(), Texts: texts, After: in.after}
}

// SameWork reports whether two inputs give the same result.
func (in *inputs) SameWork(other *inputs) bool {
	return in.federation == other.federation &&
		slices.Equal(in.joined, other.joined) &&
		slices.Equal(in.deployments, other.deployments) &&
		reflect.DeepEqual(in.options, other.options)
}

// inputsOf is the inverse of scenario; of nil it is what to begin with.
func inputsOf(s *scenario.Scenario) *inputs {
	if s == nil {
		return emptyInputs()
	}
	in := &inputs{name: s.Name, options: *placementkind.Of(*s)}
	if f := placementkind.Of(*s).Federation; f.Text != "" || f.Recipe != nil {
		in.federation = &lab.Source{Source: scenario.Source(f)}
	}
	for _, source := range placementkind.Of(*s).Federations {
		in.joined = append(in.joined, &lab.Source{Source: scenario.Source(source)})
	}
	for _, source := range placementkind.Of(*s).Deployments {
		in.deployments = append(in.deployments, &lab.Source{Source: scenario.Source(source)})
	}
	in.options.Federation, in.options.Federations, in.options.Deployments = placementkind.Source{}, nil, nil
	if len(in.options.Strategies) == 0 {
		in.options.Strategies = emptyInputs().options.Strategies
	}
	return in
}

// strategy is the one to show: it runs first.
func (in *inputs) strategy() string { return in.options.Strategies[0].StrategyName() }

// setStrategy moves a strategy to the front, so that it runs first.
func (in *inputs) setStrategy(name string) {
	runs := in.options.Strategies
	i := slices.IndexFunc(runs, func(r placementkind.StrategyRun) bool { return r.StrategyName() == name })
	if i < 0 {
		in.options.Strategies = append([]placementkind.StrategyRun{{Name: name}}, runs...)
		return
	}
	run := runs[i]
	in.options.Strategies = append([]placementkind.StrategyRun{run}, slices.Delete(runs, i, i+1)...)
}

// PutText puts a strategy that is written as text in place of the one of that name, or
// first if there is none; nil takes that one away.
func (in *inputs) PutText(name string, t *policy.Text) {
	runs := in.options.Strategies
	i := slices.IndexFunc(runs, func(r placementkind.StrategyRun) bool { return r.Policy != nil && r.Policy.Name == name })
	switch {
	case i < 0:
		in.options.Strategies = append([]placementkind.StrategyRun{{Policy: t}}, runs...)
	case t != nil:
		runs[i].Policy = t
	case len(runs) == 1:
		in.options.Strategies = emptyInputs().options.Strategies
	default:
		in.options.Strategies = slices.Delete(runs, i, i+1)
	}
}

// seeded lists the strategies that run over several seeds, by their places.
func (in *inputs) seeded() (places []int, names []string) {
	for i, r := range in.options.Strategies {
		if p, _ := placement.Lookup(r.Name); p.Seeds > 0 {
			places, names = append(places, i), append(names, r.Name)
		}
	}
	return places, names
}

// seeds is over how many seeds those run.
func (in *inputs) seeds() int {
	if places, _ := in.seeded(); len(places) > 0 {
		return max(in.options.Strategies[places[0]].Seeds, 1)
	}
	return 0
}

// setSeeds sets that. Without such a strategy, those of a new scenario come.
func (in *inputs) setSeeds(n int) {
	if places, _ := in.seeded(); len(places) == 0 {
		fresh := emptyInputs()
		places, _ = fresh.seeded()
		for _, i := range places {
			in.options.Strategies = append(in.options.Strategies, fresh.options.Strategies[i])
		}
	}
	places, _ := in.seeded()
	for _, i := range places {
		in.options.Strategies[i].Seeds = n
	}
}

// setFederation makes g the federation.
func (in *inputs) setFederation(g *lab.Source) {
	in.federation, in.joined = nil, nil
	in.federation = in.toldApart(g)
}

// keptWith lists the DOT files with the prices and links of clusters whose node files are
// replaced.
func (in *inputs) keptWith(anew []*lab.Source) []*lab.Source {
	of := func(old *lab.Source) bool {
		return slices.ContainsFunc(anew, func(g *lab.Source) bool { return sameCluster(old, g) })
	}
	if !slices.ContainsFunc(in.files(), of) {
		return nil
	}
	return slices.DeleteFunc(in.files(), beyond)
}

// sameCluster reports whether two files are the nodes of one cluster, which is
// called like its file.
func sameCluster(a, b *lab.Source) bool {
	stem := func(s *lab.Source) string {
		name := strings.TrimSuffix(s.Name, ".gz")
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return beyond(a) && beyond(b) && stem(a) == stem(b)
}

// join puts a file beside those of the federation, or in place of the one that
// has its name or is of its cluster.
func (in *inputs) join(g *lab.Source) {
	same := func(old *lab.Source) bool { return old.Name == g.Name || sameCluster(old, g) }
	switch i := slices.IndexFunc(in.joined, same); {
	case in.federation == nil || same(in.federation):
		in.federation = g
	case i >= 0:
		in.joined[i] = g
	default:
		in.joined = append(in.joined, g)
	}
}

// joins reports whether one more file of the federation goes beside the others:
// manifests and networks leave out what further files say, while one graph in DOT
// takes the place of another.
func (in *inputs) joins() bool { return slices.ContainsFunc(in.files(), beyond) }

// beyond reports whether a source is of another format than DOT.
func beyond(g *lab.Source) bool { return format.Beyond(g.Head()) != "" }

// ofDOT are the extensions of graphs in DOT.
var ofDOT = map[string]bool{".dot": true, ".gv": true}

// add puts deployments behind the others.
func (in *inputs) add(graphs ...*lab.Source) {
	for _, g := range graphs {
		in.deployments = append(in.deployments, in.toldApart(g))
	}
}

// addOrReplace puts files that were taken together behind the other deployments, or in place of
// the one that had the name of a file.
func (in *inputs) addOrReplace(graphs ...*lab.Source) {
	before := slices.Clone(in.deployments)
	for _, g := range graphs {
		i := slices.IndexFunc(in.deployments, func(old *lab.Source) bool { return old.Name == g.Name && slices.Contains(before, old) })
		if i < 0 {
			in.add(g)
			continue
		}
		in.deployments[i] = g
	}
}

// What the sources are for.
const (
	deploymentRole = "deployment"
	federationRole = "federation"
)

// Roles lists the sources by what they are for.
func (in *inputs) Roles() []lab.Role {
	return []lab.Role{
		{Name: deploymentRole, Sources: in.deployments, Choose: "file-deployment"},
		{Name: federationRole, Sources: in.files(), Choose: "file-federation"},
	}
}

// toldApart is a source under a name that no other has.
func (in *inputs) toldApart(g *lab.Source) *lab.Source {
	if name := in.unusedName(g.Name); name != g.Name {
		return g.Called(name)
	}
	return g
}

// unusedName is name, with a number if another graph has it: diagnostics are
// told apart by it.
func (in *inputs) unusedName(name string) string {
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

// files lists those of the federation.
func (in *inputs) files() []*lab.Source {
	if in.federation == nil {
		return nil
	}
	return append([]*lab.Source{in.federation}, in.joined...)
}

// graphs lists the files of the federation and the deployments.
func (in *inputs) graphs() []*lab.Source { return append(in.files(), in.deployments...) }

// The indices of what is no deployment; these count from 0, and further files of
// the federation down from joinedIndex.
const (
	federationIndex = -1
	noIndex         = -2
	joinedIndex     = -3
)

// index is where a graph stands, noIndex for one that is not there.
func (in *inputs) index(g *lab.Source) int {
	switch i := slices.Index(in.deployments, g); {
	case g == nil:
		return noIndex
	case g == in.federation:
		return federationIndex
	case i >= 0:
		return i
	}
	if i := slices.Index(in.joined, g); i >= 0 {
		return joinedIndex - i
	}
	return noIndex
}

// at is the graph with that index, nil if there is none.
func (in *inputs) at(index int) *lab.Source {
	switch {
	case index == federationIndex:
		return in.federation
	case 0 <= index && index < len(in.deployments):
		return in.deployments[index]
	case index <= joinedIndex && joinedIndex-index < len(in.joined):
		return in.joined[joinedIndex-index]
	}
	return nil
}

// replace puts another graph where old was, as deployment or as federation.
func (in *inputs) replace(old, new *lab.Source) {
	if in.federation == old {
		in.federation = new
		return
	}
	if i := slices.Index(in.joined, old); i >= 0 {
		in.joined[i] = new
	}
	if i := slices.Index(in.deployments, old); i >= 0 {
		in.deployments[i] = new
	}
}

// remove takes a graph away.
func (in *inputs) remove(g *lab.Source) {
	if in.federation == g {
		in.federation = nil
		if len(in.joined) > 0 {
			in.federation, in.joined = in.joined[0], in.joined[1:]
		}
		return
	}
	if i := slices.Index(in.joined, g); i >= 0 {
		in.joined = slices.Delete(in.joined, i, i+1)
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
