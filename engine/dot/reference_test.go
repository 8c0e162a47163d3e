package dot

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gonum "gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"

	"berth/engine/graph"
	"berth/engine/must"
)

// outline is a graph without its labels.
type outline struct {
	name  string
	nodes []string
	edges map[[2]string]bool // in both directions
}

func newOutline(name string) *outline { return &outline{name: name, edges: map[[2]string]bool{}} }

func (o *outline) join(a, b string) {
	if a != b {
		o.edges[[2]string{a, b}], o.edges[[2]string{b, a}] = true, true
	}
}

func (o *outline) String() string {
	edges := slices.SortedFunc(maps.Keys(o.edges), func(a, b [2]string) int { return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1]) })
	return fmt.Sprintf("%q: %q, %q", o.name, o.nodes, edges)
}

// group is a subgraph of gonum's syntax tree. As in Graphviz, a subgraph that is
// reopened within the same graph continues where it ended, and an edge statement
// applies to all nodes that its subgraphs have at the end of the statement.
type group struct {
	nodes []string
	named map[string]*group
}

// walk builds the outline of a graph from gonum's syntax tree.
func (o *outline) walk(statements []ast.Stmt, in *group) {
	for _, s := range statements {
		switch s := s.(type) {
		case *ast.NodeStmt:
			o.operand(s.Node, in)
		case *ast.Subgraph:
			o.operand(s, in)
		case *ast.EdgeStmt:
			chain := []*group{o.operand(s.From, in)}
			for e := s.To; e != nil; e = e.To {
				chain = append(chain, o.operand(e.Vertex, in))
			}
			for i, to := range chain[1:] {
				for _, a := range chain[i].nodes {
					for _, b := range to.nodes {
						o.join(a, b)
					}
				}
			}
		}
	}
}

func (o *outline) operand(v ast.Vertex, in *group) *group {
	g := &group{named: map[string]*group{}}
	switch v := v.(type) {
	case *ast.Node:
		g.nodes = []string{said(v.ID)}
		o.nodes = addNew(o.nodes, g.nodes...)
	case *ast.Subgraph:
		if id := said(v.ID); v.ID != "" && in.named[id] != nil {
			g = in.named[id]
		} else if v.ID != "" {
			in.named[id] = g
		}
		o.walk(v.Stmts, g)
	}
	in.nodes = addNew(in.nodes, g.nodes...)
	return g
}

func addNew(list []string, more ...string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// said returns the text of an id of gonum, which keeps the spelling of the file.
func said(id string) string {
	s := newScanner(&problems{src: id})
	return s.text(s.next())
}

// withDefaults gives a label to each node and edge. It returns false for a text that the two
// readers split into different tokens, because gonum knows only some spellings of the keywords.
func withDefaults(src string) (string, bool) {
	s, depth, behind := newScanner(&problems{src: src}), 0, 0
	var b strings.Builder
	for t := s.next(); t.kind != end; t = s.next() {
		word := src[t.start:t.end]
		if t.kind.begins() && t.kind != name && t.kind != '{' && word != strings.ToLower(word) {
			return "", false
		}
		switch t.kind {
		case '{':
			depth++
			if depth == 1 {
				b.WriteString(src[behind:t.end] + " node [request=1, limit=1] edge [latency=1] ")
				behind = int(t.end)
			}
		case '}':
			depth--
		}
	}
	return b.String() + src[behind:], s.count == [len(s.count)]int{} && !s.directed && s.dashRuns == 0
}

func parseGonum(src string) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("gonum panics: %v", r)
		}
	}()
	return gonum.ParseString(src)
}

// compare reports whether gonum accepts a text; if so, it checks that Berth reads the
// same graphs.
func compare(t *testing.T, src string) bool {
	t.Helper()
	file, err := parseGonum(src)
	if err != nil {
		return false
	}
	src, same := withDefaults(src)
	if !same {
		return false
	}
	all, diagnostics := ReadDeployments("x.dot", []byte(src), Options{})
	for _, d := range diagnostics.Errors() {
		if strings.HasPrefix(d.Message(), "syntax error") || strings.Contains(d.Message(), "the file ends") || strings.Contains(d.Message(), "never closed") {
			t.Errorf("gonum accepts\n%s\n%v", src, d)
		}
	}
	if len(diagnostics.Errors()) > 0 {
		return false // of labels, which gonum does not know
	}
	rewritten, _ := withDefaults(file.String())
	again, diagnostics := ReadDeployments("x.dot", []byte(rewritten), Options{})
	if len(again) != len(all) || len(file.Graphs) != len(all) {
		t.Fatalf("%s\n%d graphs, as gonum writes it %d of %d\n%s\n%v", src, len(all), len(again), len(file.Graphs), rewritten, diagnostics)
	}
	for i, g := range file.Graphs {
		want := newOutline("")
		if g.ID != "" {
			want.name = said(g.ID)
		}
		want.walk(g.Stmts, &group{named: map[string]*group{}})
		if got := outlineOf(all[i].Deployment); got.String() != want.String() {
			t.Errorf("%s\ngot\n%v\nwant\n%v", src, got, want)
		}
		if got, want := withLabels(all[i].Deployment), withLabels(again[i].Deployment); got != want {
			t.Errorf("%s\ngot\n%s\nas gonum writes it\n%s", src, got, want)
		}
	}
	return true
}

func outlineOf(d *graph.Deployment) *outline {
	o := newOutline(d.DOTName)
	for i := range d.Jobs().Len() {
		o.nodes = append(o.nodes, d.Jobs().ID(i))
	}
	for k := range d.Dependencies().Len() {
		a, b := d.Ends(k)
		o.join(o.nodes[a], o.nodes[b])
	}
	return o
}

// withLabels writes a graph, or only its outline if the graph cannot be written.
func withLabels(d *graph.Deployment) string {
	var b strings.Builder
	if WriteDeployment(&b, d, Plain) != nil {
		return outlineOf(d).String()
	}
	return b.String()
}

// corpus returns texts that cover the whole grammar.
func corpus(t testing.TB) []string {
	texts := []string{
		`graph {}`, `strict graph x {} graph "y z" { a }`,
		`graph { a; b c -- d [latency=3] e:p -- f:p:n; g = h; subgraph { i }; subgraph s { j } -- k -- { l; m } [latency=2, label="x"; weight=1 style=bold][color=red] }`,
		`graph { node [request=2] a edge [latency=4]; a -- b; graph [x=y][z=1] { node [limit=9] c -- d } e }`,
		`graph { subgraph x { a } subgraph x { b } -- c subgraph "x" {} -- d; subgraph x { subgraph x { e } f } -- g; subgraph y { subgraph x {} -- h } }`,
		"graph { \"a\\\"b\" -- \"c\\\nd\" -- <e<b>f</b>> -- -.5 -- 7. -- é_1 -- \"\" } // end\n",
		"# one\ngraph /* two **/ { a //three\n -- b # four\n }\n",
		`graph { a [] b [][] [request=1, limit=2,] -- c [latency=1;]; }`, `graph { a -- a -- {} -- b {} -- {} }`,
		`strict graph { a -- b [latency=5]; b -- a [latency=2]; a -- b -- a }`,
		`graph { "graph" -- "node" [label="\N"] { { { a } b } c } -- d } graph { e }`,
	}
	files, _ := filepath.Glob("testdata/*.dot")
	examples, _ := filepath.Glob("../../examples/*.dot")
	files = append(files, examples...)
	if dir := os.Getenv("BERTH_DATA"); dir != "" {
		more, _ := filepath.Glob(filepath.Join(dir, "dot", "*.dot"))
		files = append(files, more...)
	}
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, file := range files {
		src := must.Get(os.ReadFile(file))(t)
		texts = append(texts, string(src))
	}
	return texts
}

func TestSameGraphAsGonum(t *testing.T) {
	compared := 0
	for _, src := range corpus(t) {
		if compare(t, src) {
			compared++
		}
	}
	if compared < 12 {
		t.Errorf("only %d texts were compared", compared)
	}
}

// FuzzSameGraphAsGonum compares the graphs of every text that gonum accepts.
func FuzzSameGraphAsGonum(f *testing.F) {
	for _, src := range corpus(f) {
		if len(src) < 10_000 {
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) { compare(t, src) })
}
