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
	named    map[string]*scope
	index    map[string]int32
	declared []declaration // of nodes
	edges    []strictEdge
	pairs    map[[2]int32]int32
	merged   int // parallel edges
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

// strictEdge is an edge of a strict graph, of which a later statement may say
// more.
type strictEdge struct {
	record
	at   int32
	ends [2]int32
}

// scope is a subgraph, or the graph itself.
type scope struct {
	node, edge record // defaults
	members    []int32
	has        map[int32]bool
}

func newScope(parent *scope) *scope {
	s := &scope{has: map[int32]bool{}}
	if parent != nil {
		s.node.inherit(&parent.node)
		s.edge.inherit(&parent.edge)
	}
	return s
}

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
	b.root, b.named = newScope(nil), map[string]*scope{}
	b.index, b.declared = map[string]int32{}, nil
	b.edges, b.pairs = nil, map[[2]int32]int32{}
	b.merged, b.center = 0, attribute{}
}

// take takes n of a kind from the budget; where there are not so many, reading ends.
func (b *builder) take(k budget.Kind, n int, at int32) {
	if err := b.budget.Take(k, n); err != nil && !b.stopped {
		b.stopped = true
		b.scan.fail(int(at), "%v", err)
	}
}

func (b *builder) nodeStatement(id string, at int32, attributes []attribute, s *scope) {
	i := b.mention(id, at, s, false)
	if len(attributes) == 0 || b.stopped {
		return
	}
	e := b.nodeElement(i)
	b.read(&b.said, e, attributes)
	b.overlay(&b.declared[i].record, e, &b.said)
}

func (b *builder) nodeElement(i int32) element {
	return element{on: b.node, ids: [2]string{b.net.nodes.ID(int(i))}}
}

func (b *builder) edgeElement(ends [2]int32) element {
	return element{on: b.edge, ids: [2]string{b.net.nodes.ID(int(ends[0])), b.net.nodes.ID(int(ends[1]))}}
}

// mention returns the number of a node, which it makes with the defaults of its
// subgraph if it is new.
func (b *builder) mention(id string, at int32, s *scope, inEdge bool) int32 {
	i, ok := b.index[id]
	if !ok {
		if b.take(budget.Nodes, 1, at); b.stopped {
			return 0
		}
		id = strings.Clone(id)
		i = int32(b.net.addNode(id))
		b.index[id] = i
		d := declaration{at: at, inEdge: inEdge}
		d.inherit(&s.node)
		b.declared = append(b.declared, d)
	}
	if s != b.root {
		s.add(i)
	}
	return i
}

// defaults takes the attributes behind node, edge or graph.
func (b *builder) defaults(of kind, attributes []attribute, s *scope) {
	on, r := b.node, &s.node
	switch of {
	case graphKey:
		for _, a := range attributes {
			b.graphAttribute(a, s)
		}
		return
	case edgeKey:
		on, r = b.edge, &s.edge
	}
	for i := range r.figures {
		r.figures[i].inherited = true // a further node[...] replaces the one before
	}
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
	if on := b.vocabulary.elsewhere(a.key); on != nil {
		b.add(diag.Error, int(a.keyAt), nil, a.key, "%s belongs on %s, in brackets behind its name, and not on the graph", a.key, strings.Join(on, " or "))
	}
}

// open begins a subgraph; at is its name if it has one. One that is opened again
// goes on where it ended.
func (b *builder) open(at token, parent *scope) *scope {
	if at.kind == name {
		if s := b.named[b.scan.text(at)]; s != nil {
			return s
		}
	}
	return newScope(parent)
}

// close ends a subgraph and returns its nodes.
func (b *builder) close(s, parent *scope, at token) operand {
	if at.kind == name {
		b.named[strings.Clone(b.scan.text(at))] = s
	}
	b.take(budget.Members, len(s.members), at.start)
	if parent != b.root {
		for _, i := range s.members {
			parent.add(i)
		}
	}
	if len(s.members) == 0 {
		return operand{}
	}
	return operand{s.members, b.declared[s.members[0]].at}
}
