package placement

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"berth/app/lab"
	"berth/engine/input/format"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/policy"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// inputs is the value that the user edits. An edit changes a copy made with Clone, and
// the original goes to the undo history.
type inputs struct {
	name        string
	files       []*lab.Source // of the federation; empty if there is none
	deployments []*lab.Source
	options     placementkind.Document // everything except the graphs
	after       string                 // hash of the run whose worker has the result of these inputs; "" for none
}

// Clone copies everything that an edit may change.
func (in *inputs) Clone() *inputs {
	c := *in
	c.deployments, c.files = slices.Clone(c.deployments), slices.Clone(c.files)
	c.options.Strategies = slices.Clone(c.options.Strategies)
	c.options.WhatIf, c.options.Rules = slices.Clone(c.options.WhatIf), slices.Clone(c.options.Rules)
	c.options.Pools = slices.Clone(c.options.Pools)
	return &c
}

func emptyInputs() *inputs {
	in := &inputs{}
	for _, name := range placement.Names() {
		if p, _ := placement.Lookup(name); p.Default {
			in.options.Strategies = append(in.options.Strategies, placementkind.StrategyRun{Name: name, Seeds: p.Facts.Seeds})
		}
	}
	return in
}

// Blank reports whether there is no graph.
func (in *inputs) Blank() bool { return len(in.graphs()) == 0 }

// Missing asks for the next graph to add; "" if the inputs can run.
func (in *inputs) Missing() string {
	switch {
	case len(in.files) == 0:
		return "There is no federation yet: choose a file, or generate one."
	case len(in.deployments) == 0 && !in.alone():
		return "There is no deployment yet: choose a file, or generate one."
	}
	return ""
}

// Name implements [lab.Inputs].
func (in *inputs) Name() string { return in.name }

// SetName implements [lab.Inputs].
func (in *inputs) SetName(name string) { in.name = name }

// scenario returns the document that is run, saved and shared.
func (in *inputs) scenario() scenario.Scenario {
	p := in.options
	if files := documented(in.files); len(files) > 0 {
		p.Federation, p.Federations = files[0], files[1:]
	}
	p.Deployments = documented(in.deployments)
	return placementkind.New(in.name, p)
}

// documented converts graphs for the document.
func documented(graphs []*lab.Source) []placementkind.GraphSource {
	all := make([]placementkind.GraphSource, len(graphs))
	for i, g := range graphs {
		all[i] = placementkind.GraphSource(g.Source)
	}
	return all
}

// Input returns the scenario for a worker, with large texts as files next to it.
func (in *inputs) Input() bridge.Input {
	s, texts, graphs := in.scenario(), map[string]bridge.Blob{}, in.graphs()
	slots := placementkind.Of(s).Slots() // in the order of graphs; an empty slot comes first if there is no federation
	for i, slot := range slots[len(slots)-len(graphs):] {
		if graphs[i].Large() {
			texts[slot.Name] = graphs[i].File
		}
	}
	return bridge.Input{Scenario: s, Texts: texts, After: in.after}
}

// SameWork reports whether two inputs give the same result.
func (in *inputs) SameWork(other *inputs) bool {
	return slices.Equal(in.files, other.files) &&
		slices.Equal(in.deployments, other.deployments) &&
		reflect.DeepEqual(in.options, other.options)
}

// inputsOf is the inverse of scenario. For nil it returns the initial inputs.
func inputsOf(s *scenario.Scenario) *inputs {
	if s == nil {
		return emptyInputs()
	}
	d := placementkind.Of(*s)
	in := &inputs{name: s.Name, options: *d}
	for i, slot := range d.Slots() {
		g := &lab.Source{Source: *slot.Source}
		switch {
		case i == 0 && g.Text == "" && g.Recipe == nil: // no federation
		case i <= len(d.Federations):
			in.files = append(in.files, g)
		default:
			in.deployments = append(in.deployments, g)
		}
	}
	in.options.Federation, in.options.Federations, in.options.Deployments = placementkind.GraphSource{}, nil, nil
	if len(in.options.Strategies) == 0 {
		in.options.Strategies = emptyInputs().options.Strategies
	}
	return in
}

// strategy names the strategy to show, which runs first.
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

// PutText replaces the written strategy of this name, or adds t as the first strategy
// if no strategy has the name. A nil t removes the strategy.
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

// seeded lists the strategies that run over several seeds.
func (in *inputs) seeded() (runs []*placementkind.StrategyRun) {
	for i := range in.options.Strategies {
		r := &in.options.Strategies[i]
		if p, _ := placement.Lookup(r.Name); p.Facts.Seeds > 0 {
			runs = append(runs, r)
		}
	}
	return runs
}

// seeds returns the number of seeds of the seeded strategies; 0 if there is none.
func (in *inputs) seeds() int {
	if runs := in.seeded(); len(runs) > 0 {
		return max(runs[0].Seeds, 1)
	}
	return 0
}

// setSeeds sets the number of seeds. Without a seeded strategy it adds the default ones.
func (in *inputs) setSeeds(n int) {
	if len(in.seeded()) == 0 {
		for _, r := range emptyInputs().seeded() {
			in.options.Strategies = append(in.options.Strategies, *r)
		}
	}
	for _, r := range in.seeded() {
		r.Seeds = n
	}
}

// setFederation makes g the only file of the federation.
func (in *inputs) setFederation(g *lab.Source) {
	in.files = nil
	in.files = []*lab.Source{in.toldApart(g)}
}

// keptWith returns the files of the federation that stay if the files in anew replace the node
// files of the same clusters: DOT files with the prices and links of the clusters. It returns nil
// if anew replaces no cluster.
func (in *inputs) keptWith(anew []*lab.Source) []*lab.Source {
	of := func(old *lab.Source) bool {
		return slices.ContainsFunc(anew, func(g *lab.Source) bool { return sameCluster(old, g) })
	}
	if !slices.ContainsFunc(in.files, of) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(in.files), beyond)
}

// sameCluster reports whether two files list the nodes of the same cluster. The file
// name without its extension names the cluster.
func sameCluster(a, b *lab.Source) bool {
	stem := func(s *lab.Source) string {
		name := strings.TrimSuffix(s.Name, ".gz")
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return beyond(a) && beyond(b) && stem(a) == stem(b)
}

// join adds a file to the federation. It replaces a file with the same name or of the
// same cluster.
func (in *inputs) join(g *lab.Source) {
	same := func(old *lab.Source) bool { return old.Name == g.Name || sameCluster(old, g) }
	if i := slices.IndexFunc(in.files, same); i >= 0 {
		in.files[i] = g
		return
	}
	in.files = append(in.files, in.toldApart(g))
}

// joins reports whether new files are added to the federation rather than replace it. Manifests and
// networks are added, because they lack figures that other files have. DOT graphs replace the
// federation, unless the federation has a file with the name of one of them.
func (in *inputs) joins(files []*lab.Source) bool {
	return slices.ContainsFunc(in.files, func(old *lab.Source) bool {
		return beyond(old) || slices.ContainsFunc(files, func(g *lab.Source) bool { return g.Name == old.Name })
	})
}

// beyond reports whether a source has another format than DOT.
func beyond(g *lab.Source) bool { return format.Beyond(g.Head()) != "" }

// ofDOT holds the extensions of DOT files.
var ofDOT = map[string]bool{".dot": true, ".gv": true}

func (in *inputs) add(graphs ...*lab.Source) {
	for _, g := range graphs {
		in.deployments = append(in.deployments, in.toldApart(g))
	}
}

// addOrReplace adds files that the user opened together. A file replaces an earlier
// deployment of the same name; the other files are appended.
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

const (
	deploymentRole = "deployment"
	federationRole = "federation"
)

// Roles lists the sources by role.
func (in *inputs) Roles() []lab.SourceRole {
	return []lab.SourceRole{
		{Name: deploymentRole, Sources: in.deployments, Choose: "file-deployment"},
		{Name: federationRole, Sources: in.files, Choose: "file-federation"},
	}
}

// Named lists the inputs that refer to jobs, clusters or nodes by name.
func (in *inputs) Named() []lab.Named {
	o := &in.options
	quoted := func(thing string) func(*string) string {
		return func(text *string) string { return thing + " “" + show.Text(*text) + "”" }
	}
	all := slices.Concat(
		lab.NamedIn("placement.rules", "rule-", &o.Rules, quoted("the rule")),
		lab.NamedIn("placement.whatIf", whatIfID, &o.WhatIf, quoted("the change")))
	if o.Keep {
		all = append(all, lab.Named{Path: "placement.keep", Text: "“move as few requests as possible”", Fields: whatIfID, Drop: func() { o.Keep = false }})
	}
	if o.Center != "" {
		all = append(all, lab.Named{Path: "placement.center", Text: quoted("the centre")(&o.Center), Fields: "center", Drop: func() { o.Center = "" }})
	}
	return all
}

// toldApart returns a source under a name that no other graph has.
func (in *inputs) toldApart(g *lab.Source) *lab.Source {
	if name := in.unusedName(g.Name); name != g.Name {
		return g.Called(name)
	}
	return g
}

// unusedName returns name, with a number if another graph has that name. Diagnostics identify
// graphs by name.
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

func (in *inputs) graphs() []*lab.Source { return slices.Concat(in.files, in.deployments) }

// at returns the graph with this index; nil for none. Deployments count up from 0, files of the
// federation down from −1.
func (in *inputs) at(index int) *lab.Source {
	list := in.deployments
	if index < 0 {
		list, index = in.files, -1-index
	}
	if index >= len(list) {
		return nil
	}
	return list[index]
}

// replace replaces graph old by graph new, in the same role.
func (in *inputs) replace(old, new *lab.Source) {
	for _, list := range [][]*lab.Source{in.files, in.deployments} {
		if i := slices.Index(list, old); i >= 0 {
			list[i] = new
		}
	}
}

func (in *inputs) remove(g *lab.Source) {
	it := func(x *lab.Source) bool { return x == g }
	in.files, in.deployments = slices.DeleteFunc(in.files, it), slices.DeleteFunc(in.deployments, it)
}

// move shifts a deployment one place up (−1) or down (+1). At the ends of the list it
// does nothing.
func (in *inputs) move(g *lab.Source, by int) {
	i := slices.Index(in.deployments, g)
	if j := i + by; i >= 0 && j >= 0 && j < len(in.deployments) {
		in.deployments[i], in.deployments[j] = in.deployments[j], in.deployments[i]
	}
}
