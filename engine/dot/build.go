package dot

import (
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/graph"
)

// network is the graph being built, a deployment or a federation.
type network struct {
	nodes, edges *graph.Elements
	addNode      func(id string) int
	addEdge      func(a, b int, labels ...graph.Label) (edge int, merged bool)
	finish       func(b *builder)
}

// builder builds the graphs of a file from statements.
type builder struct {
	attributeReader
	scan    *scanner
	budget  *budget.Budget
	stopped bool                                     // a limit was reached, and reading stops
	create  func(dotName string, offset int) network // creates a new graph

	net      network
	node     graph.ElementKind
	edge     graph.ElementKind
	strict   bool
	root     *scope
	settings int // number of statements that set defaults so far
	index    map[string]int32
	declared []declaration // by number of the node
	edges    []strictEdge  // edges that later statements may extend
	pairs    map[pair]int32
	rules    []attribute // of the graph
	merged   int         // number of edges that were merged into a parallel one
	mergedAt int32       // position of the first of them
	center   attribute

	said, full record // record of the current statement, without and with defaults
	labels     []graph.Label
	arena      []float64
}

// declaration is a node with the attributes read so far.
type declaration struct {
	record
	at     int32
	inEdge bool // the node occurs only in edges so far
}

// strictEdge is an edge of a strict graph, or an edge with a key. Later statements may add
// attributes to it.
type strictEdge struct {
	record
	at   int32
	ends [2]int32
}

// scope is a subgraph or the graph itself.
type scope struct {
	parent     *scope
	named      map[string]*scope // subgraphs by name
	node, edge defaults
	members    []int32
	has        map[int32]bool
}

// defaults are the attributes that node[...] or edge[...] sets in a subgraph: own excludes and all
// includes the inherited ones. A subgraph that is reopened inherits the defaults of that moment.
type defaults struct {
	own, all record
	as       int // the value of builder.settings when all was computed
}

func newScope(parent *scope) *scope { return &scope{parent: parent, has: map[int32]bool{}} }

func (s *scope) add(node int32) {
	if !s.has[node] {
		s.has[node] = true
		s.members = append(s.members, node)
	}
}

// begin starts a new graph and resets the state of the previous one.
func (b *builder) begin(strict bool, name string, offset int) {
	b.net = b.create(strings.Clone(name), offset)
	b.strict = strict
	if b.scan.arrows {
		b.foreign, b.keeps = true, graphviz
	}
	b.root, b.settings = newScope(nil), 0
	b.index, b.declared = map[string]int32{}, nil
	b.edges, b.pairs = nil, map[pair]int32{}
	b.merged, b.center, b.rules = 0, attribute{}, nil
}

// take charges n elements to the budget, and stops reading if the budget is exhausted.
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

// subgraphStatement handles attributes after a subgraph, which DOT ignores. A figure there is an
// error, because it was probably meant for the nodes or edges.
func (b *builder) subgraphStatement(attributes []attribute) {
	for _, a := range attributes {
		if on := b.vocabulary.elsewhere(a.key); on != nil {
			b.add(diag.Error, int(a.keyAt), nil, a.key, behindSubgraph, a.key, a.key, a.key)
		}
	}
}

func (b *builder) nodeElement(i int32) subject {
	return subject{on: b.node, ids: [2]string{b.net.nodes.ID(int(i))}}
}

func (b *builder) edgeElement(ends [2]int32) subject {
	return subject{on: b.edge, ids: [2]string{b.net.nodes.ID(int(ends[0])), b.net.nodes.ID(int(ends[1]))}}
}

// mention returns the number of a node. It adds a new node with the defaults of its subgraph.
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

// defaults applies the attributes after node, edge or graph.
func (b *builder) defaults(of tokenKind, attributes []attribute, s *scope) {
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
	r.giveWay() // to a later node[...]
	e := subject{on: on, defaults: true}
	b.read(&b.said, e, attributes)
	b.overlay(r, e, &b.said)
}

// graphAttribute applies an attribute of the graph: center or rules. A figure on the graph is an
// error, because its brackets were probably forgotten. Attributes of a subgraph only affect
// drawings and are ignored.
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

// defaults returns the defaults for nodes or for edges.
func (s *scope) defaults(on graph.ElementKind) *defaults {
	if on == graph.Job || on == graph.Cluster {
		return &s.node
	}
	return &s.edge
}

// inherited returns the effective defaults in a subgraph: its own defaults override those of the
// enclosing graph. It caches them until the next statement that sets defaults.
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
	b.overlay(&d.all, subject{on: on, defaults: true}, &d.own)
	return &d.all
}

// open begins a subgraph; at is its name if it has one. A name that was used before in the same
// scope continues that subgraph.
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

// close ends a subgraph and adds its members to the enclosing subgraph.
func (b *builder) close(s, parent *scope, at token) {
	b.take(budget.Members, len(s.members), at.start)
	if parent != b.root {
		for _, i := range s.members {
			parent.add(i)
		}
	}
}
