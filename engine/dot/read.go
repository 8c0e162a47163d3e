package dot

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/graph"
	"berth/engine/show"
)

// Options tell a reader how to treat doubtful input, and what to share with other readers.
type Options struct {
	Budget     *budget.Budget         // shared by all texts that are read together; nil: a new budget for this text
	Strict     bool                   // warnings are errors
	Undirected bool                   // directed graphs are read as undirected
	FreePrices bool                   // prices missing in the file are 0
	Progress   func(fraction float64) // if not nil, called occasionally
	// Given has the data of files of the federation that were read before. This file may omit
	// figures of their clusters.
	Given *graph.Federation
}

// NamedDeployment is a deployment with the name of its file, followed by #1, #2, … if
// the file has several deployments.
type NamedDeployment struct {
	Name string
	*graph.Deployment
}

// ReadDeployments reads all deployments in a file. If the file has errors, it returns
// no deployments and all diagnostics.
func ReadDeployments(file string, src []byte, o Options) ([]NamedDeployment, diag.List) {
	var all []NamedDeployment
	b := &builder{node: graph.Job, edge: graph.Dependency}
	b.create = func(dotName string, _ int) network {
		d := graph.NewDeployment()
		d.DOTName = dotName
		all = append(all, NamedDeployment{Deployment: d})
		return network{d.Jobs(), d.Dependencies(), d.AddJob, d.AddDependency, func(b *builder) { d.Rules = b.rulesOf(d) }}
	}
	diagnostics := read(file, src, o, b)
	if len(diagnostics.Errors()) > 0 {
		return nil, diagnostics
	}
	for i := range all {
		all[i].Name = baseName(file)
		if len(all) > 1 {
			all[i].Name += fmt.Sprintf("#%d", i+1)
		}
	}
	return all, diagnostics
}

func baseName(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }

// ReadFederation reads the only federation in a file; a second one is an error. The graph attribute
// center makes it a star. If the file has errors, it returns no federation and all diagnostics.
func ReadFederation(file string, src []byte, o Options) (*graph.Federation, diag.List) {
	var f *graph.Federation
	b := &builder{node: graph.Cluster, edge: graph.Link}
	b.create = func(dotName string, offset int) network {
		if f != nil {
			b.errorAt(offset, diag.SecondGraph)
		}
		f = graph.NewFederation()
		f.DOTName = dotName
		return network{f.Clusters(), f.Links(), f.AddCluster, f.AddLink, func(b *builder) { setCenter(f, b) }}
	}
	diagnostics := read(file, src, o, b)
	if len(diagnostics.Errors()) > 0 {
		return nil, diagnostics
	}
	return f, diagnostics
}

// setCenter applies the graph attribute center. It ignores boolean values, which in Graphviz say
// whether to centre the drawing on the page.
func setCenter(f *graph.Federation, b *builder) {
	id := b.center.value
	if _, ok := f.Cluster(id); !ok && isBool(id) {
		return
	}
	at := int(b.center.valueAt)
	ignored, err := f.SetCenter(id)
	if err != nil {
		b.add(diag.Error, at, nil, "center", diag.Invalid, err)
	} else if ignored > 0 {
		b.add(diag.Warning, at, nil, "center", IgnoredLinks(ignored), ignored, show.Quote(id))
	}
}

func isBool(s string) bool {
	return slices.Contains([]string{"", "true", "false", "yes", "no", "0", "1"}, strings.ToLower(s))
}

// read reads all graphs of a file into a builder.
func read(file string, src []byte, o Options, b *builder) diag.List {
	load := o.Budget.Or()
	if err := load.Take(budget.Bytes, len(src)); err != nil {
		p := &problems{file: file}
		p.errorAt(0, diag.Invalid, err)
		return p.diagnostics()
	}
	p := &problems{file: file, src: string(src), strict: o.Strict}
	if !p.toText() || wrongRole(p, b) {
		return p.diagnostics()
	}
	s := newScanner(p)
	b.attributeReader = attributeReader{problems: p, vocabulary: newVocabulary(), verdicts: map[stranger]verdict{}, freePrices: o.FreePrices}
	s.undirected = o.Undirected
	b.scan, b.budget, b.given = s, load, o.Given
	progress := func(offset int) {
		if o.Progress != nil {
			o.Progress(float64(offset) / float64(len(src)))
		}
	}
	(&parser{scanner: s, build: b, progress: progress}).parse()
	if b.root == nil && p.count[diag.Error] == 0 {
		p.errorAt(0, emptyFile)
	}
	if s.dashRuns > 0 {
		p.add(diag.Warning, s.dashAt, nil, "", longDashes, s.dashRuns)
	}
	return p.diagnostics()
}
