package graphviz

import (
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		name string
		want []string
	}{
		{"one", []string{"graph { a }"}},
		{"one and blanks", []string{"graph { a } // end\n\n"}},
		{"two", []string{"graph { a }", "\ndigraph x { b -> { c } }\n"}},
		{"three", []string{"graph {\n\n}", "graph {\n}", "\n# z\ngraph{}"}},
		{"braces in texts", []string{`graph { "}" [label=<}>]; /* } */ b }`, " graph { c }"}},
		{"what follows", []string{"graph { a }", " b"}},
		{"closed twice", []string{"graph { a }", " }"}},
		{"cut off", []string{"graph { a }", " graph {"}},
		{"nothing", []string{"// none"}},
	} {
		var text []byte
		for _, g := range test.want {
			text = append(text, g...)
		}
		var got []string
		for _, g := range Split(append([]byte("\uFEFF"), text...)) {
			got = append(got, string(g))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
