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
		{"graph { // {{{\n/* {{{ */\n# {{{\na }", 1},
		{"graph { a [label=<<b><i>x</i></b><br/><br/>>] }", 2},
		{"graph { a [label=<\"{{{\" &lt; <b>x</b>>] }", 1},
		{`graph { a -> b; c [label="-->"] { { d } } }`, 3},
		{`graph { a [label="`, 1},
		{"graph { a [label=<", 1},
		{"graph { /* {", 1},
	}
	for _, test := range tests {
		if got := depth([]byte(test.dot)); got != test.want {
			t.Errorf("depth(%s) = %d, want %d", test.dot, got, test.want)
		}
	}
}

// nested is a node inside n clusters.
func nested(n int) string {
	var b strings.Builder
	b.WriteString("graph {")
	for i := range n {
		fmt.Fprintf(&b, "subgraph cluster%d {", i)
	}
	b.WriteString("a" + strings.Repeat("}", n+1))
	return b.String()
}
