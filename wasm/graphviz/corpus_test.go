//go:build !js

package graphviz

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goccy/go-graphviz/cgraph"

	"berth/engine/dot"
	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/show"
)

// ours returns texts that cover the whole grammar.
func ours(t testing.TB) map[string][]byte {
	all := map[string][]byte{}
	for _, text := range []string{
		`strict graph x { b } graph "y z" { a }`,
		`graph { a; b c -- d [latency=3] e:p -- f:p:n; g = h; subgraph { i }; subgraph s { j } -- k -- { l; m } [latency=2, label="x"; weight=1 style=bold][color=red] }`,
		`graph { node [request=2] a edge [latency=4]; a -- b; graph [x=y][z=1] { node [limit=9] c -- d } e }`,
		`graph { subgraph x { a } subgraph x { b } -- c subgraph "x" {} -- d; subgraph x { subgraph x { e } f } -- g; subgraph y { subgraph x {} -- h } }`,
		"graph { \"a\\\"b\" -- \"c\\\nd\" -- <e<b>f</b>> -- -.5 -- 7. -- é_1 -- \"\" } // end\n",
		"# one\ngraph /* two **/ { a //three\n -- b # four\n }\n",
		`graph { a [] b [][] [request=1, limit=2;] c [limit=1;]; }`, `graph { a -- a -- {} -- b {} -- {} }`,
		`strict graph { a -- b [latency=5]; b -- a [latency=2]; a -- b -- a }`,
		`graph { "graph" -- "node" [label="x"] { { { a } b } c } -- d } graph { e }`,
	} {
		all[text] = []byte(text)
	}
	for _, pattern := range []string{"../../engine/dot/testdata/graphviz/*.dot", "../../examples/*.dot"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < 3 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			src := must.Get(os.ReadFile(file))(t)
			all[file] = src
		}
	}
	return all
}

// outline has a graph's nodes and edges, without loops and directions, with their labels and
// figures.
type outline struct {
	nodes map[string]string
	edges map[[2]string]string
}

func (o *outline) join(a, b, says string) {
	if a != b {
		o.edges[[2]string{min(a, b), max(a, b)}] = says
	}
}

// differs describes how another outline differs, "" if it does not. Berth merges parallel edges, so
// it does not compare their figures.
func (o *outline) differs(other *outline, parallel map[[2]string]bool) string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(o.nodes)) {
		if says, ok := other.nodes[id]; !ok || says != o.nodes[id] {
			all = append(all, fmt.Sprintf("node %q is %q, not %q (%v)", id, o.nodes[id], says, ok))
		}
	}
	for e, says := range o.edges {
		if also, ok := other.edges[e]; !ok || also != says && !parallel[e] {
			all = append(all, fmt.Sprintf("edge %q is %q, not %q (%v)", e, says, also, ok))
		}
	}
	if len(all) > 3 {
		all = append(all[:3], "…")
	}
	return strings.Join(all, "; ")
}

// theirs returns the outlines of the graphs of a text as Graphviz reads them.
func theirs(text []byte) (all []*outline, parallel map[[2]string]bool, err error) {
	instance() // its defaults apply to all graphs
	parallel = map[[2]string]bool{}
	for _, part := range Split(text) {
		if edges, _ := expand(part); len(part) > 1<<20 || edges > maxExpansion {
			return nil, nil, fmt.Errorf("too large")
		}
		g, err := read(part)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, outlineOf(g, parallel))
		g.Close()
	}
	return all, parallel, nil
}

// text decodes a string of Graphviz, which keeps the bytes of the file.
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var letters []rune
	for i := range len(s) {
		letters = append(letters, rune(s[i]))
	}
	return string(letters)
}

func outlineOf(g *cgraph.Graph, parallel map[[2]string]bool) *outline {
	o := &outline{map[string]string{}, map[[2]string]string{}}
	for n, _ := g.FirstNode(); n != nil; n, _ = g.NextNode(n) {
		name, _ := n.Name()
		label := n.GetStr("label")
		if label == `\N` {
			label = name
		}
		o.nodes[text(name)] = says(text(label), "request", n.GetStr("request"), "limit", n.GetStr("limit"))
		for e, _ := g.FirstOut(n); e != nil; e, _ = g.NextOut(e) {
			head, _ := e.Node().Name()
			ends := [2]string{min(text(name), text(head)), max(text(name), text(head))}
			if _, twice := o.edges[ends]; twice {
				parallel[ends] = true
			}
			o.join(text(name), text(head), says(text(e.GetStr("label")), "latency", e.GetStr("latency")))
		}
	}
	return o
}

// says joins a label and those figures that exist.
func says(label string, figures ...string) string {
	all := fmt.Sprintf("%q", label)
	for i := 0; i < len(figures); i += 2 {
		if x, ok := show.ParseNumber(figures[i+1]); ok {
			all += fmt.Sprintf(" %s %v", figures[i], x)
		}
	}
	return all
}

// withFigures adds the defaults that Berth needs to any DOT text, and removes the
// directions that Berth refuses.
func withFigures(text []byte) string {
	x := dot.NewLexer(text)
	var b strings.Builder
	depth, behind := 0, 0
	for word := x.Next(); word != ""; word = x.Next() {
		b.Write(text[behind : x.At()-len(word)])
		behind = x.At()
		switch {
		case word == "->":
			word = "--"
		case depth == 0 && strings.EqualFold(word, "digraph"):
			word = "graph"
		case word == "{":
			if depth == 0 {
				word = "{ node [request=1, limit=1] edge [latency=1] "
			}
			depth++
		case word == "}":
			depth--
		}
		b.WriteString(word)
	}
	return b.String() + string(text[behind:])
}

// berths returns the outlines of the graphs of a text as Berth reads them, as deployments or, for
// that role, as a federation.
func berths(text string, role dot.Role) ([]*outline, error) {
	if role == dot.Federation {
		f, found := dot.ReadFederation("x.dot", []byte(text), dot.Options{})
		if err := found.Err(); err != nil {
			return nil, err
		}
		return []*outline{berthOutline(f.Clusters(), f.Links(), f.Ends)}, nil
	}
	read, found := dot.ReadDeployments("x.dot", []byte(text), dot.Options{})
	if err := found.Err(); err != nil {
		return nil, err
	}
	var all []*outline
	for _, d := range read {
		all = append(all, berthOutline(d.Jobs(), d.Dependencies(), d.Ends))
	}
	return all, nil
}

func berthOutline(nodes, edges *graph.Elements, ends func(int) (int, int)) *outline {
	o := &outline{map[string]string{}, map[[2]string]string{}}
	for i := range nodes.Len() {
		label := nodes.Drawn(i).Text
		if !nodes.Drawn(i).Given {
			label = nodes.ID(i)
		}
		o.nodes[nodes.ID(i)] = says(label)
		cpu := graph.Lookup(nodes.Kind(), "cpuOffloading")
		if cpu != nil && nodes.Has(cpu, i) {
			v := nodes.Values(cpu, i)
			o.nodes[nodes.ID(i)] = says(label, "request", fmt.Sprint(v[0]), "limit", fmt.Sprint(v[1]))
		}
	}
	for k := range edges.Len() {
		x, y := ends(k)
		latency := ""
		if v := edges.Values(graph.Lookup(edges.Kind(), "latency"), k); v != nil {
			latency = fmt.Sprint(v[0])
		}
		o.join(nodes.ID(x), nodes.ID(y), says(edges.Drawn(k).Text, "latency", latency))
	}
	return o
}

// verdict is the result of comparing the readings of a text.
type verdict int

const (
	same verdict = iota
	different
	refused // by Graphviz, or by Berth because of its jobs and clusters
)

// compare compares Berth's reading of a text with Graphviz's. For a file with figures
// in Berth's own dialects it compares only nodes and edges.
func compare(src []byte) (verdict, string) {
	role, read := dot.Detect(dot.Text(src)), string(src)
	if role == dot.Unknown || role == dot.Deployment && isPlain(src) {
		role, read = dot.Unknown, withFigures(src)
	}
	want, parallel, err := theirs([]byte(read))
	if err != nil {
		return refused, err.Error()
	}
	got, err := berths(read, role)
	if err != nil {
		return judge(err.Error())
	}
	if len(got) != len(want) {
		return different, fmt.Sprintf("%d graphs, not %d", len(got), len(want))
	}
	for i := range want {
		if role != dot.Unknown {
			bare(want[i], got[i])
		}
		if d := cmp.Or(want[i].differs(got[i], parallel), got[i].differs(want[i], parallel)); d != "" {
			return different, d
		}
	}
	return same, ""
}

// isPlain reports whether a text is in the dialect whose figures are Graphviz attributes.
func isPlain(src []byte) bool { return !strings.Contains(string(src), " - ") }

// bare keeps only nodes and edges.
func bare(all ...*outline) {
	for _, o := range all {
		for id := range o.nodes {
			o.nodes[id] = ""
		}
		for ends := range o.edges {
			o.edges[ends] = ""
		}
	}
}

// judge distinguishes errors of the grammar, which Graphviz would report too, from errors that only
// Berth reports: about jobs and clusters, an undeclared encoding, 20ms and typographic quotation
// marks, which Graphviz reads as names. Only the first error counts, because others may follow from
// it.
func judge(message string) (verdict, string) {
	if first, _, _ := strings.Cut(message, "\n"); ofGrammar(first) {
		return different, message
	}
	return refused, message
}

// ofGrammar reports whether a message has an error of the grammar.
func ofGrammar(message string) bool {
	return strings.Contains(message, "syntax error") || strings.Contains(message, "the file ends") || strings.Contains(message, "never closed")
}

// Berth and Graphviz read each feature of DOT alike, in texts written for this test.
func TestOurGraphsAreReadAsByGraphviz(t *testing.T) {
	for name, src := range ours(t) {
		if v, said := compare(src); v != same {
			t.Errorf("%s: %s", name, said)
		}
	}
}

// macro matches a name of attributes, which Graphviz ignores and does not document.
var macro = regexp.MustCompile(`(node|graph) \S+ =`)

// Berth finds a syntax error in those random texts that Graphviz refuses, and reads the others like
// Graphviz.
func TestSameLanguageAsGraphviz(t *testing.T) {
	golden.Long(t)
	r := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"a", "b", "c", "--", "[", "]", "=", ";", ",", ":", "{", "}", "subgraph", "node", "graph",
		"[limit=1]", "[limit=1, request=1;]", "[]", "d -- e", "f=g", "h:i", "{j}", "; k", "-- subgraph l {"}
	accepted := 0
	for range 30_000 {
		src := "graph {"
		for range 1 + r.IntN(8) {
			src += " " + pieces[r.IntN(len(pieces))]
		}
		src += " }"
		if macro.MatchString(src) {
			continue
		}
		v, said := compare([]byte(src))
		if v == same {
			accepted++
		}
		if v == refused && strings.HasPrefix(said, "graphviz: ") {
			if _, err := berths(withFigures([]byte(src)), dot.Unknown); err == nil || !ofGrammar(err.Error()) {
				v = different
			}
		}
		if v == different {
			t.Fatalf("%s: %s", src, said)
		}
	}
	if accepted < 1_500 {
		t.Errorf("only %d graphs were compared: the test says little", accepted)
	}
}

// They also read every .dot and .gv file below BERTH_DATA alike.
func TestCorporaAreReadAsByGraphviz(t *testing.T) {
	folder := golden.Data(t)
	count := map[verdict]int{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if extension := filepath.Ext(path); err != nil || d.IsDir() || extension != ".dot" && extension != ".gv" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		v, said := compare(src)
		count[v]++
		if v == different {
			t.Errorf("%s: %s", path, said)
		} else if v == refused {
			t.Logf("%s is not compared: %s", path, said)
		}
		return nil
	})
	if err != nil || count[same] == 0 {
		t.Errorf("%d files are read alike, %v", count[same], err)
	}
	t.Logf("%d files are read alike, %d are not, %d are not compared", count[same], count[different], count[refused])
}

// FuzzReadAsByGraphviz compares the readings of texts that both accept.
func FuzzReadAsByGraphviz(f *testing.F) {
	for _, src := range ours(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1000 || checkText(src) != nil || dot.Detect(src) != dot.Unknown {
			return
		}
		if v, said := compare(src); v == different {
			t.Errorf("%q: %s", src, said)
		}
	})
}
