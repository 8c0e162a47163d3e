package dot

import (
	"strconv"
	"strings"

	"gonum.org/v1/gonum/graph/formats/dot/ast"

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
	members  int // of all named subgraphs
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

// attrs returns the attributes of lists, each of which gonum saw as one (see
// compact).
func (b *builder) attrs(lists []*ast.Attr) []attribute {
	b.attributes = b.attributes[:0]
	for _, list := range lists {
		first, err := strconv.Atoi(list.Key)
		if err != nil {
			continue
		}
		for i := first + 1; b.tokens[i].kind == name; i += 3 {
			b.attributes = append(b.attributes, b.attribute(b.tokens[i], b.tokens[i+2]))
			if k := b.tokens[i+3].kind; k == ',' || k == ';' {
				i++
			}
		}
	}
	return b.attributes
}

func (b *builder) attribute(key, value token) attribute {
	return attribute{b.scan.text(key), b.scan.text(value), key.start, value.start, value.form == html}
}

func (b *builder) nodeStatement(stmt *ast.NodeStmt, s *scope) {
	i := b.mention(stmt.Node, s, false)
	if len(stmt.Attrs) == 0 {
		return
	}
	e := b.nodeElement(i)
	b.read(&b.said, e, b.attrs(stmt.Attrs))
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
		for _, a := range b.attrs(stmt.Attrs) {
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
	b.read(&b.said, e, b.attrs(stmt.Attrs))
	b.overlay(r, e, &b.said)
}

// graphAttribute looks for the centre of a star; the rest is for drawing.
func (b *builder) graphAttribute(a attribute, s *scope) {
	if a.key == "center" && s == b.root {
		a.value = strings.Clone(a.value)
		b.center = a
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
	before := len(s.members)
	b.walk(stmt.Stmts, s)
	if stmt.ID != "" {
		b.named[strings.Clone(id)] = s
		if b.members += len(s.members) - before; b.members > 4*b.limits.Nodes {
			b.stop(int(t.start), "the subgraphs have more than %d nodes in all, which is the limit", 4*b.limits.Nodes)
		}
	}
	if parent != b.root {
		for _, i := range s.members {
			parent.add(i)
		}
	}
	return s.members
}

// edgeStatement adds the edges of a chain: from each node of an operand to each
// node of the next.
func (b *builder) edgeStatement(stmt *ast.EdgeStmt, s *scope) {
	first := true
	tails, at := b.operand(stmt.From, s)
	for to := stmt.To; to != nil && !b.stopped; to = to.To {
		heads, next := b.operand(to.Vertex, s)
		if b.edgeSum += len(tails) * len(heads); b.edgeSum > b.limits.Edges {
			b.stop(int(at), "more than %d edges, which is the limit", b.limits.Edges)
		}
		if b.stopped {
			return
		}
		for _, x := range tails {
			for _, y := range heads {
				if first {
					b.read(&b.said, b.edgeElement([2]int32{x, y}), b.attrs(stmt.Attrs))
					first = false
				}
				b.join([2]int32{x, y}, at, s)
			}
		}
		tails, at = heads, next
	}
}

// operand returns the nodes that one end of an edge stands for, and its place:
// that of the first name in it.
func (b *builder) operand(v ast.Vertex, s *scope) ([]int32, int32) {
	switch v := v.(type) {
	case *ast.Node:
		_, t := b.text(v.ID)
		return []int32{b.mention(v, s, true)}, t.start
	case *ast.Subgraph:
		nodes := b.subgraph(v, s)
		if len(nodes) == 0 {
			return nil, 0
		}
		return nodes, b.declared[nodes[0]].at
	}
	return nil, 0
}

// join adds one edge with what the statement says.
func (b *builder) join(ends [2]int32, at int32, s *scope) {
	e := b.edgeElement(ends)
	if ends[0] == ends[1] {
		b.add(Warning, int(at), e.String(), "", "%s: a %s joins two different %ss and is ignored", e, b.edge, b.node)
		return
	}
	if b.strict {
		b.joinStrict(ends, at, s)
		return
	}
	r := &b.said
	if len(s.edge.figures) > 0 || s.edge.named {
		r = &b.full
		r.inherit(&s.edge)
		b.overlay(r, e, &b.said)
	}
	b.addEdge(r, ends, at)
}

func (b *builder) joinStrict(ends [2]int32, at int32, s *scope) {
	key := [2]int32{min(ends[0], ends[1]), max(ends[0], ends[1])}
	k, ok := b.pairs[key]
	if !ok {
		k = int32(len(b.edges))
		b.pairs[key] = k
		one := strictEdge{at: at, ends: ends}
		one.inherit(&s.edge)
		b.edges = append(b.edges, one)
	}
	b.overlay(&b.edges[k].record, b.edgeElement(b.edges[k].ends), &b.said)
}

// addEdge puts a finished edge into the graph.
func (b *builder) addEdge(r *record, ends [2]int32, at int32) {
	e := b.edgeElement(ends)
	if len(r.figures) == 0 && !r.wrong {
		b.add(Error, int(at), e.String(), "", "%s has no label: add %s", e, suggestion(b.edge))
		return
	}
	b.labels, b.arena = b.complete(r, e, b.labels[:0], b.arena[:0])
	k, merged := b.net.addEdge(int(ends[0]), int(ends[1]), b.labels...)
	if merged {
		if b.merged == 0 {
			b.mergedAt = at
		}
		b.merged++
	} else if r.name != "" {
		b.net.edges.SetName(k, strings.Clone(r.name))
	}
}

// finish completes the graph. whole says that no statement was left out, so
// that what is missing is the file's fault.
func (b *builder) finish(whole bool) {
	for _, e := range b.edges {
		b.addEdge(&e.record, e.ends, e.at)
	}
	for i := range b.declared {
		b.finishNode(int32(i), whole)
	}
	if b.merged > 0 {
		b.add(Note, int(b.mergedAt), "", "", "%s parallel to another merged with it, here first", count(b.merged, b.edge))
	}
	if len(b.declared) == 0 && whole {
		b.errorAt(b.scan.pos-1, `the graph has no %ss: write one as: a [%s]`, b.node, suggestion(b.node))
	}
	b.net.finish(b)
}

func count(n int, kind graph.ElementKind) string {
	switch {
	case n == 1:
		return "1 " + kind.String() + " is"
	case kind == graph.Dependency:
		return strconv.Itoa(n) + " dependencies are"
	}
	return strconv.Itoa(n) + " " + kind.String() + "s are"
}

func (b *builder) finishNode(i int32, whole bool) {
	d, e := &b.declared[i], b.nodeElement(i)
	b.labels, b.arena = b.complete(&d.record, e, b.labels[:0], b.arena[:0])
	for _, l := range b.labels {
		b.net.nodes.SetLabel(l.Type, int(i), l.Values)
	}
	if d.name != e.ids[0] {
		b.net.nodes.SetName(int(i), strings.Clone(d.name))
	}
	if whole && !d.wrong && !d.carriesData() {
		b.bare(e, d)
	}
}

// carriesData reports whether there is a label that takes part in a placement.
func (r *record) carriesData() bool {
	for _, f := range r.figures {
		if f.label.Kind != graph.Policy {
			return true
		}
	}
	return false
}

// bare tells of a node without data, which is often a slip of the pen in an
// edge.
func (b *builder) bare(e element, d *declaration) {
	message := "%s has no label: add %s"
	if d.inEdge {
		message = "%s is named in an edge only and has no label: add a statement for it with %s"
	}
	b.add(Error, int(d.at), e.String(), "", message, e, suggestion(e.on))
}

// suggestion shows what the first label of a kind of element looks like.
func suggestion(on graph.ElementKind) string {
	l := graph.Labels(on)[0]
	var attrs []string
	for i, f := range l.Fields {
		if !f.Optional {
			attrs = append(attrs, field{l, i}.attribute()+"=...")
		}
	}
	return strings.Join(attrs, ", ")
}
