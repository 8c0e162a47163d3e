package graphviz

import "strings"

// maxExpansion limits the edges that a text expands to. Graphviz creates all of them,
// at 450 bytes each, before a caller can count them: {a1 … a3000} -- {b1 … b3000} is
// 34 kB of text and 9 million edges.
const maxExpansion = 500_000

// expand returns the number of edges that a text expands to, and the depth of its deepest nesting;
// see maxDepth. It stops counting above maxExpansion, so both results may then be too low.
func expand(dot []byte) (edges, depth int) {
	x := expansion{text: dot, groups: []group{{}}, named: map[string]int{}}
	x.read()
	for ; len(x.groups) > 0; x.groups = x.groups[:len(x.groups)-1] {
		x.settle() // for a text that is cut off here
	}
	return x.edges, x.deepest
}

// expansion counts the edges of a DOT text and ignores the rest. An edge between
// subgraphs, or lists of nodes, counts once for each pair of their nodes, and a node
// counts as often as it is mentioned. So the count may be too high, but never too low.
type expansion struct {
	text   []byte
	at     int
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
		case "=", ":", "+": // a value, a port or the rest of a string, not a node
			x.next()
		case "subgraph":
			x.subgraph()
		case ";", "node", "edge", "graph", "digraph", "strict":
		default:
			if x.peek() != '=' {
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

// unquoted maps all spellings of a name to one. It may merge different names.
var unquoted = strings.NewReplacer(`"`, "", `\`, "", "\r", "", "\n", "")

// subgraph opens a subgraph, with or without a name.
func (x *expansion) subgraph() {
	name := ""
	if x.peek() != '{' {
		name = x.next()
		for x.peek() == '+' {
			x.next()
			name += x.next()
		}
	}
	if x.peek() == '{' {
		x.next()
		x.groups = append(x.groups, group{name: unquoted.Replace(name)})
	}
}

// close closes a subgraph. An earlier one of the same name is part of it.
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

// peek returns the first byte of the next word, 0 at the end.
func (x *expansion) peek() byte {
	for x.at < len(x.text) {
		if n := comment(x.text, x.at); n > 0 {
			x.at += n
		} else if strings.IndexByte(" \t\r\n\f\v", x.text[x.at]) >= 0 {
			x.at++
		} else {
			return x.text[x.at]
		}
	}
	return 0
}

// next returns the next word: a name, a string as written, an edge operator or a
// punctuation mark; "" at the end.
func (x *expansion) next() string {
	first := x.peek()
	rest := x.text[x.at:]
	n, nested := 1, 0
	switch {
	case first == 0:
		return ""
	case first == '{':
		x.braces++
		nested = x.braces
	case first == '}':
		x.braces--
	case first == '"':
		n, nested = quoted(rest)
	case first == '<':
		n, nested = angled(rest)
	case first == '-' && len(rest) > 1 && (rest[1] == '-' || rest[1] == '>'):
		n = 2
	case number(rest) > 0:
		n = number(rest)
	case !endsName(first):
		for n < len(rest) && !endsName(rest[n]) {
			n++
		}
	}
	x.deepest = max(x.deepest, nested)
	x.at += n
	return string(rest[:n])
}

func endsName(c byte) bool { return strings.IndexByte(" \t\r\n\f\v{}[]=;,:+-\"</#.", c) >= 0 }

// number returns the length of the number that text begins with, whatever follows it:
// [-]?(.[0-9]+|[0-9]+(.[0-9]*)?). It is 0 for anything else.
func number(text []byte) int {
	n := 0
	if text[0] == '-' {
		n = 1
	}
	whole := digits(text[n:])
	n += whole
	if n == len(text) || text[n] != '.' {
		if whole == 0 {
			return 0
		}
		return n
	}
	part := digits(text[n+1:])
	if whole+part == 0 {
		return 0
	}
	return n + 1 + part
}

func digits(text []byte) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}
