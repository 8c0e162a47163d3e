package graphviz

import (
	"fmt"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	o, err := Options{}.complete([]byte("graph{}"))
	if want := (Options{Layout: Dot, Format: SVG}); o != want || err != nil {
		t.Errorf("defaults: %v, %v; want %v", o, err, want)
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name, dot, want string
		options         Options
	}{
		{"empty", "", "no graph in the text", Options{}},
		{"space", " \n\t", "no graph in the text", Options{}},
		{"comments", "# one\n// two\n/* graph {} */", "no graph in the text", Options{}},
		{"open comment", "/* graph {}", "no graph in the text", Options{}},
		{"zero", "graph {\x00}", "byte 7 is zero", Options{}},
		{"long", strings.Repeat(" ", MaxBytes) + "graph{}", "has 4194311 bytes: at most 4194304", Options{}},
		{"too many edges", bipartite(800), "more than 500000 edges", Options{}},
		{"layout", "graph{}", `unknown layout "patchwork": want one of dot, neato, fdp, sfdp, circo, twopi, osage`, Options{Layout: "patchwork"}},
		{"format", "graph{}", `unknown format "xdot": want one of svg, png`, Options{Format: "xdot"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.options.complete([]byte(test.dot))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestDepth(t *testing.T) {
	tests := []struct {
		dot  string
		want int
	}{
		{"", 0},
		{"graph {}", 1},
		{"graph { { a } subgraph b { { c } } }", 3},
		{nested(20), 21},
		{`graph { a [label="{{{x}}|{y}}"] }`, 3},
		{`graph { a [label="{{{\"{"] b [label="{"] }`, 4},
		{"graph { a # {{{\n/*/ {{{ */ b }", 1},
		{"graph { a # \"\n{ b } /*/ \" */ { c } }", 2},
		{"graph { // {{{\n/* {{{ */\n# {{{\na }", 1},
		{"graph { a [label=<<b><i>x</i></b><br/><br/>>] }", 2},
		{"graph { a [label=<\"{{{\" &lt; <b>x</b>>] }", 1},
		{`graph { a -> b; c [label="-->"] { { d } } }`, 3},
		{`graph { a [label="`, 1},
		{"graph { a [label=<", 1},
		{"graph { /* {", 1},
	}
	for _, test := range tests {
		if _, got := expand([]byte(test.dot)); got != test.want {
			t.Errorf("depth(%s) = %d, want %d", test.dot, got, test.want)
		}
	}
}

// Two subgraphs have an edge between each pair of their nodes.
var expansions = []struct {
	dot  string
	want int
}{
	{"graph {}", 0},
	{"graph { a -- b -- c; b -- d }", 3},
	{"digraph { a->b->c b->d }", 3},
	{"graph { 1--2--3.5--.5 -- -1 }", 4},
	{`graph { "a -- b" -- "c" + "d" -- <<i>e -- f</i>> }`, 2},
	{"graph { a:p:n -- b:q; node [shape=box, label=\"x -- y\"]; rankdir=LR; edge [len=2] }", 1},
	{"graph { a -- b [label=\"]\", a=b] c -- d [] [x=y] }", 2},
	{"graph { // a -- b\n/* c -- d */\n# e -- f\n a -- b }", 1},
	{"graph { {a b c} -- {d e} }", 6},
	{"graph { {a; b, c} -- {d[x=y] e [label=f] g=h} -- i }", 8},
	{"graph { subgraph x { a b c } -- subgraph { d e }; subgraph x {} -- f }", 9},
	{"graph { subgraph x { a b } subgraph x { c } subgraph x {} -- d }", 3},
	{"graph { { a -- b } -- { { c d } e } }", 7},
	{"graph { a, b, c -- d, e }", 6},
	{"graph { {a b c} -- d,e -- f }", 8},
	{"graph { subgraph x {a b c} subgraph \"x\" {} -- {d e} }", 6},
	{"graph { subgraph xy {a b c} subgraph \"x\" + \"\\\ny\" {} -- {d e} }", 6},
	{"graph { {.1.2.3.4} -- {.5.6.7.8} }", 16},
	{"graph { {1a 2b} -- {c d} }", 8},
	{"graph { x # \"\n {a b} -- {c d} # \"\n}", 4},
	{"graph { /*/ \" */ {a b} -- {c d} /*/ \" */ }", 4},
	{bipartite(20), 400},
}

func TestExpansion(t *testing.T) {
	for _, test := range expansions {
		if got, _ := expand([]byte(test.dot)); got != test.want {
			t.Errorf("%s stands for %d edges, want %d", test.dot, got, test.want)
		}
	}
	for _, cutOff := range []string{"", "graph { a -- b", `graph { a -- "b`, "graph { a -- <b", "graph { a -- b [", "graph { a -- b; subgraph", "} } graph { a -- b }"} {
		if got, _ := expand([]byte(cutOff)); got > 1 {
			t.Errorf("%s stands for %d edges", cutOff, got)
		}
	}
	// No subgraph has more nodes than the text mentions, however often it is repeated.
	var doubled strings.Builder
	doubled.WriteString("graph { subgraph x0 { a }")
	for i := range 100 {
		fmt.Fprintf(&doubled, " subgraph x%d { subgraph x%d {} subgraph x%[2]d {} }", i+1, i)
	}
	if got, _ := expand([]byte(doubled.String() + " subgraph x100 {} -- b }")); got > 2 {
		t.Errorf("one node is %d nodes", got)
	}
}

// bipartite returns an edge between each of n nodes and each of n others.
func bipartite(n int) string {
	var a, b strings.Builder
	for i := range n {
		fmt.Fprintf(&a, " a%d", i)
		fmt.Fprintf(&b, " b%d", i)
	}
	return "graph { {" + a.String() + " } -- {" + b.String() + " } }"
}

// nested returns a node inside n clusters.
func nested(n int) string {
	var b strings.Builder
	b.WriteString("graph {")
	for i := range n {
		fmt.Fprintf(&b, "subgraph cluster%d {", i)
	}
	b.WriteString("a" + strings.Repeat("}", n+1))
	return b.String()
}
