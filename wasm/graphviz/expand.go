package graphviz

import (
	"strings"

	"berth/engine/dot"
)

// maxExpansion limits the edges that a text expands to. Graphviz creates all of them,
// at 450 bytes each, before a caller can count them: {a1 … a3000} -- {b1 … b3000} is
// 34 kB of text and 9 million edges.
const maxExpansion = 500_000

// expand returns the number of edges that a text expands to, and the depth of its deepest nesting;
// see maxDepth. It stops counting above maxExpansion, so both results may then be too low.
func expand(text []byte) (edges, depth int) {
	x := expansion{lexer: dot.NewLexer(text), groups: []group{{}}, named: map[string]int{}}
	x.read()
	for ; len(x.groups) > 0; x.groups = x.groups[:len(x.groups)-1] {
		x.settle() // for a text that is cut off here
	}
	return x.edges, x.deepest
}

// expansion counts the edges of a DOT text and ignores the rest. An edge between subgraphs, or
// lists of nodes, counts once for each pair of their nodes, and a node counts as often as the text
// mentions it. So the count may be too high, but never too low.
type expansion struct {
	lexer  *dot.Lexer
	groups []group // open groups, outermost first: the text itself, the graph and subgraphs
	edges  int
	names  int            // mentions of names so far: an upper bound for the nodes of a subgraph
	named  map[string]int // nodes of subgraphs by name

	braces, deepest int // number of open braces, and the deepest nesting so far
}

// group is a subgraph that is being read.
type group struct {
	name  string
	nodes int
	chain []operand // operands of the current statement
	open  bool      // the statement ends with an edge operator or a comma so far
}

// operand is a subgraph or a list of nodes.
type operand struct {
	name  string
	nodes int
}

func (x *expansion) top() *group { return &x.groups[len(x.groups)-1] }

func (x *expansion) read() {
	for word := x.next(); word != "" && x.edges <= maxExpansion; word = x.next() {
		switch strings.ToLower(word) {
		case "{":
			x.groups = append(x.groups, group{})
		case "}":
			x.close()
		case "--", "->":
			g := x.top()
			g.chain, g.open = append(g.chain, operand{}), true
		case ",":
			x.top().open = true
		case "[":
			for word != "]" && word != "" {
				word = x.next()
			}
		case "=", ":": // a value or a port, not a node
			x.next()
		case "subgraph":
			x.subgraph()
		case ";", "node", "edge", "graph", "digraph", "strict":
		default:
			if x.lexer.Peek() != '=' {
				x.names++
				x.add("", 1)
			}
		}
	}
}

// add adds an operand to the statement: a node, or a subgraph with this many nodes.
func (x *expansion) add(name string, nodes int) {
	g := x.top()
	if !g.open || len(g.chain) == 0 {
		x.settle()
		g.chain = append(g.chain, operand{})
	}
	last := &g.chain[len(g.chain)-1]
	last.name = name
	last.nodes += nodes
	g.nodes = min(g.nodes+nodes, x.names)
	g.open = false
}

// settle counts the edges of a statement. Graphviz creates the edges at the end of
// the statement, between all nodes that its subgraphs have by then.
func (x *expansion) settle() {
	g := x.top()
	for i := 1; i < len(g.chain) && x.edges <= maxExpansion; i++ {
		x.edges += x.size(g.chain[i-1]) * x.size(g.chain[i])
	}
	g.chain = g.chain[:0]
}

func (x *expansion) size(o operand) int { return max(o.nodes, x.named[o.name]) }

// subgraph opens a subgraph, with or without a name.
func (x *expansion) subgraph() {
	name := ""
	if x.lexer.Peek() != '{' {
		x.next()
		name = x.lexer.Name()
	}
	if x.lexer.Peek() == '{' {
		x.next()
		x.groups = append(x.groups, group{name: name})
	}
}

// close closes a subgraph. It includes an earlier subgraph of the same name.
func (x *expansion) close() {
	x.settle()
	top := len(x.groups) - 1
	if top == 0 {
		return
	}
	g := x.groups[top]
	x.groups = x.groups[:top]
	if g.name != "" {
		g.nodes = min(g.nodes+x.named[g.name], x.names)
		x.named[g.name] = g.nodes
	}
	x.add(g.name, g.nodes)
}

// next returns the next token, and notes how deep it is nested.
func (x *expansion) next() string {
	token, nested := x.lexer.Next(), 0
	switch {
	case token == "":
	case token == "{":
		x.braces++
		nested = x.braces
	case token == "}":
		x.braces--
	case token[0] == '"':
		nested = recordDepth(token)
	case token[0] == '<':
		nested = tagDepth(token)
	}
	x.deepest = max(x.deepest, nested)
	return token
}

// maxDepth bounds the nesting of subgraphs, of fields in a record label and of tags in an HTML-like
// label. Graphviz recurses into each level, with up to 310 bytes a level, on a stack of 64 KiB
// without a guard: a graph that is nested too deeply overwrites Graphviz's data.
const maxDepth = 100

// recordDepth returns the depth of the record fields in a string as it is written.
func recordDepth(text string) (deepest int) {
	open := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			open++
			deepest = max(deepest, open)
		case '}':
			open--
		}
	}
	return deepest
}

// tagDepth returns the depth of the tags in an HTML-like string as it is written.
func tagDepth(text string) (deepest int) {
	tags := 0
	for i := 1; i < len(text)-1; i++ {
		switch {
		case text[i] == '<' && text[i+1] == '/', text[i] == '>' && text[i-1] == '/':
			tags--
		case text[i] == '<':
			tags++
			deepest = max(deepest, tags)
		}
	}
	return deepest
}
