package graphviz

import (
	"fmt"
	"strings"
)

// maxExpansion bounds the edges that a text stands for. Graphviz makes all of them
// while it reads, before they can be counted, and each takes 450 bytes:
// {a1 … a3000} -- {b1 … b3000} has 34 kB and 9 million edges.
const maxExpansion = 500_000

// checkExpansion refuses a text that stands for too many edges.
func checkExpansion(dot []byte) error {
	if expand(dot) <= maxExpansion {
		return nil
	}
	return fmt.Errorf("graphviz: more than %d edges, of which those between subgraphs count for each pair of their nodes: too many to be drawn", maxExpansion)
}

// expand returns how many edges a text stands for, or some number above
// maxExpansion.
func expand(dot []byte) int {
	x := expansion{text: dot, groups: []group{{}}, named: map[string]int{}}
	x.read()
	return x.edges
}

// expansion counts the edges of a DOT text, without a look at what else is in it:
// between subgraphs one for each pair of their nodes, of which one counts as often
// as it is mentioned.
type expansion struct {
	text   []byte
	at     int
	groups []group // that are open: the graph itself, or all graphs, and subgraphs
	edges  int
	names  int            // mentioned so far: no subgraph has more nodes
	named  map[string]int // nodes of subgraphs by name
}

// group is a subgraph that is being read.
type group struct {
	name  string
	nodes int
	last  int  // nodes of the latest operand
	joins bool // an edge operator is behind it
}

func (x *expansion) read() {
	for word := x.next(); word != "" && x.edges <= maxExpansion; word = x.next() {
		switch strings.ToLower(word) {
		case "{":
			x.groups = append(x.groups, group{})
		case "}":
			x.close()
		case "--", "->":
			x.groups[len(x.groups)-1].joins = true
		case "[":
			for word != "]" && word != "" {
				word = x.next()
			}
		case "=", ":", "+": // a value, a port or more of a string, and no node
			x.next()
		case "subgraph":
			x.subgraph()
		case ";", ",", "node", "edge", "graph", "digraph", "strict":
		default:
			if x.peek() != '=' {
				x.names++
				x.operand(1)
			}
		}
	}
}

// operand takes a node or a subgraph with so many of them.
func (x *expansion) operand(nodes int) {
	g := &x.groups[len(x.groups)-1]
	if g.joins {
		x.edges += g.last * nodes
	}
	g.nodes = min(g.nodes+nodes, x.names)
	g.last, g.joins = nodes, false
}

// subgraph takes a name, with or without what is in it.
func (x *expansion) subgraph() {
	name := ""
	if x.peek() != '{' {
		name = x.next()
	}
	if x.peek() != '{' {
		x.operand(x.named[name])
		return
	}
	x.next()
	x.groups = append(x.groups, group{name: name})
}

// close ends a subgraph, of which there may have been a part before.
func (x *expansion) close() {
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
	x.operand(g.nodes)
}

// peek gives the byte that the next word begins with, 0 at the end.
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

// next gives the next word: a name, a string as it is written, an edge operator or
// a mark; "" at the end.
func (x *expansion) next() string {
	first := x.peek()
	rest := x.text[x.at:]
	n := 1
	switch {
	case first == 0:
		return ""
	case first == '"':
		n, _ = quoted(rest)
	case first == '<':
		n, _ = angled(rest)
	case first == '-' && len(rest) > 1 && (rest[1] == '-' || rest[1] == '>'):
		n = 2
	case !isMark(first):
		for n < len(rest) && !isMark(rest[n]) && rest[n] != '-' {
			n++
		}
	}
	x.at += n
	return string(rest[:n])
}

// isMark reports whether a byte ends a name.
func isMark(c byte) bool { return strings.IndexByte(" \t\r\n\f\v{}[]=;,:+\"</#", c) >= 0 }
