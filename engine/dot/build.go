package dot

import (
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/graph"
)

// network is the graph that is being built, whichever of the two it is.
type network struct {
	nodes, edges *graph.Elements
	addNode      func(id string) int
	addEdge      func(a, b int, labels ...graph.Label) (edge int, merged bool)
	finish       func(b *builder)
}

// builder builds the graphs of a file from its statements.
type builder struct {
	attributeReader
	scan    *scanner
	budget  *budget.Budget
	stopped bool                                     // at a limit
	create  func(dotName string, offset int) network // a new graph begins

	net      network
	node     graph.ElementKind
	edge     graph.ElementKind
	strict   bool
	root     *scope
	settings int // statements that set defaults so far
	index    map[string]int32
	declared []declaration // of nodes
	edges    []strictEdge
	pairs    map[pair]int32
	rules    []attribute // of the graph
	merged   int         // parallel edges
	mergedAt int32
	center   attribute

	said, full record // of the statement; with the defaults
	labels     []graph.Label
	arena      []float64
}

// declaration is a node with what was said of it so far.
type declaration struct {
	record
	at     int32
	inEdge bool // first named there
}

// strictEdge is an edge of a strict graph, or one with a key: a later statement may
// say more of it.
type strictEdge struct {
	record
	at   int32
	ends [2]int32
}

// scope is a subgraph, or the graph itself.
type scope struct {
	parent     *scope
	named      map[string]*scope // subgraphs in it
	node, edge defaults
	members    []int32
	has        map[int32]bool
}

// defaults are what node[...] or edge[...] says in a subgraph, and with what it
// inherits. A subgraph that is opened again inherits what holds by then.
type defaults struct {
	own, all record
	as       int // of the builder's settings: what all is up to date with
}

func newScope(parent *scope) *scope { return &scope{parent: parent, has: map[int32]bool{}} }

func (s *scope) add(node int32) {
	if !s.has[node] {
		s.has[node] = true
		s.members = append(s.members, node)
	}
}

// begin starts a graph.
func (b *builder) begin(strict bool, name string, offset int) {
	b.net = b.create(strings.Clone(name), offset)
	b.strict = strict
	b.root, b.settings = newScope(nil), 0
	b.index, b.declared = map[string]int32{}, nil
	b.edges, b.pairs = nil, map[pair]int32{}
	b.merged, b.center, b.rules = 0, attribute{}, nil
}

// take takes n of a kind from the budget; where there are not so many, reading ends.
func (b *builder) take(k budget.Quantity, n int, at int32) {
	if err := b.budget.Take(k, n); err != nil && !b.stopped {
		b.stopped = true
		b.scan.fail(int(at), diag.Invalid, err)
	}
}

func (b *builder) nodeStatement(named operand, attributes []attribute) {
	for _, i := range named.nodes {
		if b.stopped {
			return
		}
		b.declared[i].inEdge = false
		if len(attributes) > 0 {
			e := b.nodeElement(i)
			b.read(&b.said, e, attributes)
			b.overlay(&b.declared[i].record, e, &b.said)
		}
	}
}

// subgraphStatement takes the attributes behind a subgraph, which DOT gives to
// nothing. Figures among them were meant for its nodes or edges.
func (b *builder) subgraphStatement(attributes []attribute) {
	for _, a := range attributes {
		if on := b.vocabulary.elsewhere(a.key); on != nil {
			b.add(diag.Error, int(a.keyAt), nil, a.key, behindSubgraph, a.key, a.key, a.key)
		}
	}
}

func (b *builder) nodeElement(i int32) element {
	return element{on: b.node, ids: [2]string{b.net.nodes.ID(int(i))}}
}

func (b *builder) edgeElement(ends [2]int32) element {
	return element{on: b.edge, ids: [2]string{b.net.nodes.ID(int(ends[0])), b.net.nodes.ID(int(ends[1]))}}
}

// mention returns the number of a node, which it makes with the defaults of its
// subgraph if it is new.
func (b *builder) mention(id string, at int32, s *scope) int32 {
	i, ok := b.index[id]
	if !ok {
		if b.take(budget.Nodes, 1, at); b.stopped {
			return 0
		}
		id = strings.Clone(id)
		i = int32(b.net.addNode(id))
		b.index[id] = i
		d := declaration{at: at, inEdge: true}
		d.inherit(b.inherited(s, b.node))
		b.declared = append(b.declared, d)
	}
	if s != b.root {
		s.add(i)
	}
	return i
}

// defaults takes the attributes behind node, edge or graph.
func (b *builder) defaults(of kind, attributes []attribute, s *scope) {
	on := b.node
	switch of {
	case graphKey:
		for _, a := range attributes {
			b.graphAttribute(a, s)
		}
		return
	case edgeKey:
		on = b.edge
	}
	b.settings++
	r := &s.defaults(on).own
	r.giveWay() // to a further node[...]
	e := element{on: on, defaults: true}
	b.read(&b.said, e, attributes)
	b.overlay(r, e, &b.said)
}

// graphAttribute looks for the centre of a star. Figures have no meaning on the
// graph itself, and stand there where brackets were forgotten; on a subgraph
// they are those of the cluster that it is drawn for.
func (b *builder) graphAttribute(a attribute, s *scope) {
	if s != b.root {
		return
	}
	if a.key == "center" {
		a.value = strings.Clone(a.value)
		b.center = a
	}
	if a.key == rulesKey && b.node == graph.Job {
		b.rules = append(b.rules, a)
	}
	if on := b.vocabulary.elsewhere(a.key); on != nil {
		b.add(diag.Error, int(a.keyAt), nil, a.key, onGraph, a.key, strings.Join(on, " or "))
	}
}

// defaults are those of the nodes or edges.
func (s *scope) defaults(on graph.ElementKind) *defaults {
	if on == graph.Job || on == graph.Cluster {
		return &s.node
	}
	return &s.edge
}

// inherited returns the defaults of nodes or edges in a subgraph: its own on top of
// those of what it is in.
func (b *builder) inherited(s *scope, on graph.ElementKind) *record {
	d := s.defaults(on)
	if s.parent == nil {
		return &d.own
	}
	if d.as == b.settings {
		return &d.all
	}
	d.as = b.settings
	d.all.inherit(b.inherited(s.parent, on))
	b.overlay(&d.all, element{on: on, defaults: true}, &d.own)
	return &d.all
}

// open begins a subgraph; at is its name if it has one. One that is opened again in
// the same place goes on where it ended.
func (b *builder) open(at token, parent *scope) *scope {
	if at.kind != name {
		return newScope(parent)
	}
	s := parent.named[b.scan.text(at)]
	if s == nil {
		s = newScope(parent)
		if parent.named == nil {
			parent.named = map[string]*scope{}
		}
		parent.named[strings.Clone(b.scan.text(at))] = s
	}
	return s
}

// close ends a subgraph.
func (b *builder) close(s, parent *scope, at token) {
	b.take(budget.Members, len(s.members), at.start)
	if parent != b.root {
		for _, i := range s.members {
			parent.add(i)
		}
	}
}
