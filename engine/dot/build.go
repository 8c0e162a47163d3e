package dot

import (
	"strconv"
	"strings"

	"gonum.org/v1/gonum/graph/formats/dot/ast"

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

// builder walks over the syntax trees of a file and builds its graphs.
type builder struct {
	attributeReader
	scan    *scanner
	limits  Limits
	stopped bool                                     // at a limit
	create  func(dotName string, offset int) network // a new graph begins

	net      network
	node     graph.ElementKind
	edge     graph.ElementKind
	strict   bool
	tokens   []token // that the numbers in the syntax tree mean
	root     *scope
	named    map[string]*scope
	members  int // of all subgraphs, each time that they are opened
	index    map[string]int32
	declared []declaration // of nodes
	edges    []strictEdge
	pairs    map[[2]int32]int32
	merged   int // parallel edges
	mergedAt int32
	edgeSum  int
	center   attribute

	attributes []attribute
	said, full record // of the statement; with the defaults
	labels     []graph.Label
	arena      []float64
}

// membersPerNode bounds the work with subgraphs: how many a node can be in, on
// the average, if there are as many nodes as there may be.
const membersPerNode = 8

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

// text returns what a name of the syntax tree says and where it stands.
func (b *builder) text(number string) (string, token) {
	i, err := strconv.Atoi(number)
	if err != nil || i >= len(b.tokens) {
		return "", token{}
	}
	return b.scan.text(b.tokens[i]), b.tokens[i]
}

// begin starts a graph.
func (b *builder) begin(g *ast.Graph, tokens []token, offset int) {
	b.tokens = tokens
	id, _ := b.text(g.ID)
	b.net = b.create(strings.Clone(id), offset)
	b.strict = g.Strict
	b.root, b.named, b.members = newScope(nil), map[string]*scope{}, 0
	b.index, b.declared = map[string]int32{}, nil
	b.edges, b.pairs, b.edgeSum = nil, map[[2]int32]int32{}, 0
	b.merged, b.center = 0, attribute{}
}

// stop ends the reading at a limit.
func (b *builder) stop(offset int, format string, args ...any) {
	b.stopped = true
	b.scan.fail(offset, format, args...)
}

// statements takes some statements of the graph.
func (b *builder) statements(stmts []ast.Stmt, tokens []token) {
	b.tokens = tokens
	b.walk(stmts, b.root)
}

func (b *builder) walk(stmts []ast.Stmt, s *scope) {
	for _, stmt := range stmts {
		if b.stopped {
			return
		}
		switch stmt := stmt.(type) {
		case *ast.NodeStmt:
			b.nodeStatement(stmt, s)
		case *ast.EdgeStmt:
			b.edgeStatement(stmt, s)
		case *ast.AttrStmt:
			b.defaults(stmt, s)
		case *ast.Attr:
			_, key := b.text(stmt.Key)
			_, value := b.text(stmt.Val)
			b.graphAttribute(b.attribute(key, value), s)
		case *ast.Subgraph:
			b.subgraph(stmt, s)
		}
	}
}

// lists returns the attributes of a statement. Of a list gonum saw the number of
// its bracket, and none that stands behind a node (see compact).
func (b *builder) lists(seen []*ast.Attr, last ast.Vertex) []attribute {
	b.attributes = b.attributes[:0]
	for _, list := range seen {
		if i, err := strconv.Atoi(list.Key); err == nil {
			b.list(i)
		}
	}
	if node, ok := last.(*ast.Node); ok {
		i, _ := strconv.Atoi(node.ID)
		for i++; i < len(b.tokens) && b.tokens[i].kind == ':'; {
			i += 2
		}
		for i < len(b.tokens) && b.tokens[i].kind == '[' {
			i = b.list(i)
		}
	}
	return b.attributes
}

// list appends the attributes of the list that begins at token i, and returns
// the number of the token behind it.
func (b *builder) list(i int) int {
	for i++; b.tokens[i].kind == name; {
		b.attributes = append(b.attributes, b.attribute(b.tokens[i], b.tokens[i+2]))
		if i += 3; b.tokens[i].kind != name && b.tokens[i].kind != ']' {
			i++
		}
	}
	return i + 1
}

func (b *builder) attribute(key, value token) attribute {
	return attribute{b.scan.text(key), b.scan.text(value), key.start, value.start, value.form == html}
}

func (b *builder) nodeStatement(stmt *ast.NodeStmt, s *scope) {
	i := b.mention(stmt.Node, s, false)
	attributes := b.lists(stmt.Attrs, stmt.Node)
	if len(attributes) == 0 {
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
func (b *builder) mention(n *ast.Node, s *scope, inEdge bool) int32 {
	id, t := b.text(n.ID)
	i, ok := b.index[id]
	if !ok {
		if len(b.declared) == b.limits.Nodes {
			b.stop(int(t.start), "more than %d %ss, which is the limit", b.limits.Nodes, b.node)
			return 0
		}
		id = strings.Clone(id)
		i = int32(b.net.addNode(id))
		b.index[id] = i
		d := declaration{at: t.start, inEdge: inEdge}
		d.inherit(&s.node)
		b.declared = append(b.declared, d)
	}
	if s != b.root {
		s.add(i)
	}
	return i
}

func (b *builder) defaults(stmt *ast.AttrStmt, s *scope) {
	on, r := b.node, &s.node
	switch stmt.Kind {
	case ast.GraphKind:
		for _, a := range b.lists(stmt.Attrs, nil) {
			b.graphAttribute(a, s)
		}
		return
	case ast.EdgeKind:
		on, r = b.edge, &s.edge
	}
	for i := range r.figures {
		r.figures[i].inherited = true // a further node[...] replaces the one before
	}
	e := element{on: on, defaults: true}
	b.read(&b.said, e, b.lists(stmt.Attrs, nil))
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

// subgraph walks over a subgraph and returns its nodes. One that is opened again
// goes on where it ended.
func (b *builder) subgraph(stmt *ast.Subgraph, parent *scope) []int32 {
	id, t := b.text(stmt.ID)
	s := b.named[id]
	if s == nil || stmt.ID == "" {
		s = newScope(parent)
	}
	b.walk(stmt.Stmts, s)
	if stmt.ID != "" {
		b.named[strings.Clone(id)] = s
	}
	if b.members += len(s.members); b.members > membersPerNode*b.limits.Nodes {
		b.stop(int(t.start), "the subgraphs have more than %d nodes in all, which is the limit", membersPerNode*b.limits.Nodes)
	}
	if parent != b.root {
		for _, i := range s.members {
			parent.add(i)
		}
	}
	return s.members
}
