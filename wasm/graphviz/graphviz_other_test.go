//go:build !js

package graphviz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero/sys"

	"berth/engine/must"
)

const drawOnce = "GRAPHVIZ_DRAW_ONCE"

// TestMain lets the test binary draw one graph, from standard input to standard output: see
// drawnAlone.
func TestMain(m *testing.M) {
	layout, child := os.LookupEnv(drawOnce)
	if !child {
		os.Exit(m.Run())
	}
	dot, err := io.ReadAll(os.Stdin)
	if err == nil {
		dot, err = Render(context.Background(), dot, Options{Layout: Layout(layout)})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(dot)
}

// drawnAlone draws natively in a separate process, like the command line.
func drawnAlone(t testing.TB, dot string, l Layout) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), drawOnce+"="+string(l))
	cmd.Stdin = strings.NewReader(dot)
	cmd.Stderr = t.Output()
	svg := must.Get(cmd.Output())(t)
	return string(svg)
}

// svgOf draws natively or fails the test.
func svgOf(t testing.TB, dot string, l Layout) string {
	t.Helper()
	svg := must.Get(Render(context.Background(), []byte(dot), Options{Layout: l}))(t)
	return string(svg)
}

func TestRenderInParallel(t *testing.T) {
	want := svgOf(t, ring(20), Dot)
	var drawings sync.WaitGroup
	for range 8 {
		drawings.Go(func() {
			if got, err := Render(t.Context(), []byte(ring(20)), Options{}); err != nil || string(got) != want {
				t.Errorf("a parallel drawing differs: %v", err)
			}
		})
	}
	drawings.Wait()
}

// Graphviz's drawings are sanitised without an error and without a visible loss. Only the sample
// "script" loses anything.
func TestSanitiseDrawings(t *testing.T) {
	for _, s := range samples() {
		svg := svgOf(t, s.dot, s.layout)
		clean, err := Sanitise([]byte(svg))
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		if err := checkSanitised(clean); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		for _, mark := range []string{` class="node`, ` id="`, "<path", "<text", "<title>", ` fill="`, ` d="`, "stop-color"} {
			if got, want := strings.Count(string(clean), mark), strings.Count(svg, mark); got != want {
				t.Errorf("%s: %d of %d %s are left", s.name, got, want, mark)
			}
		}
		if strings.Contains(string(clean), "javascript:") {
			t.Errorf("%s: a script is left", s.name)
		}
	}
}

type refusedGraph struct{ name, dot, want string }

// refusals are errors of Graphviz that are the same natively and in a browser.
var refusals = []refusedGraph{
	{"syntax", "graph {\n a -- }", "graphviz: syntax error in line 2 near '}'"},
	{"layout", "graph { layout=nosuch; a }", `graphviz: Layout type: "nosuch" not recognized`},
	{"long chain", chain(5000), "graphviz: memory exhausted"},
	{"between subgraphs", bipartite(3000), "graphviz: more than 500000 edges"},
	{"a long token", strings.Repeat("L", 100_000) + " graph { a }", "graphviz: syntax error in line 1 near '" + strings.Repeat("L", 199) + "…"},
}

func TestRenderRefuses(t *testing.T) {
	tests := append(refusals, refusedGraph{"cut off", "graph {", "graphviz: syntax error in line 1"},
		refusedGraph{"deep", nested(20_000), "graphviz: subgraphs, record fields or HTML tags nested 20001 deep: at most 100"})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := svgOf(t, "graph { ok }", Dot)
			_, err := Render(t.Context(), []byte(test.dot), Options{})
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Fatalf("got %v, want %s", err, test.want)
			}
			if svgOf(t, "graph { ok }", Dot) != want {
				t.Error("the next drawing differs")
			}
		})
	}
}

// We count as many edges as Graphviz creates.
func TestExpansionIsThatOfGraphviz(t *testing.T) {
	for _, test := range expansions {
		g, err := read([]byte(test.dot))
		if err != nil {
			t.Errorf("%s: %v", test.dot, err)
			continue
		}
		if edges, err := g.EdgeNum(); err != nil || edges != test.want {
			t.Errorf("%s: Graphviz counts %d edges, want %d (%v)", test.dot, edges, test.want, err)
		}
		g.Close()
	}
}

// Graphviz never creates more edges for the first graph of a text than we counted.
func FuzzExpansion(f *testing.F) {
	for _, test := range expansions {
		f.Add([]byte(test.dot))
	}
	f.Fuzz(func(t *testing.T, dot []byte) {
		if len(dot) > 1000 || checkText(dot) != nil {
			return
		}
		g, err := read(dot)
		if err != nil {
			return
		}
		defer g.Close()
		counted, _ := expand(dot)
		if edges, err := g.EdgeNum(); err != nil || edges > counted {
			t.Errorf("Graphviz makes %d edges, and %d were counted (%v)", edges, counted, err)
		}
	})
}

func TestSizeIsBounded(t *testing.T) {
	for _, test := range []struct {
		dot    string
		layout Layout
		want   string
	}{
		{ring(1001), Circo, "graphviz: 1001 nodes: circo draws at most 1000"},
		{"graph { layout=circo\n" + strings.TrimPrefix(ring(1001), "graph {"), Dot, "graphviz: 1001 nodes: circo draws at most 1000"},
		{ring(5001), SFDP, "graphviz: 5001 nodes: at most 5000 can be drawn"},
		{mesh(78), Dot, "graphviz: 3003 edges: dot draws at most 3000, sfdp and neato 50000"},
		{mesh(317), SFDP, "graphviz: 50086 edges: at most 50000 can be drawn"},
		{mesh(317), Dot, "graphviz: 50086 edges: at most 50000 can be drawn"},
	} {
		if _, err := Render(t.Context(), []byte(test.dot), Options{Layout: test.layout}); err == nil || err.Error() != test.want {
			t.Errorf("%.30s… with %s: got %v, want %s", test.dot, test.layout, err, test.want)
		}
	}
	svgOf(t, mesh(78), SFDP)
}

// mesh connects n nodes with each other.
func mesh(n int) string {
	var b strings.Builder
	b.WriteString("graph {\n")
	for i := range n {
		for k := range i {
			fmt.Fprintf(&b, "%d -- %d\n", i, k)
		}
	}
	return b.String() + "}"
}

func TestRenderEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ErrTimeLimit)
	if _, err := Render(ctx, []byte(ring(24)), Options{}); !errors.Is(err, ErrTimeLimit) {
		t.Errorf("got %v, want %v", err, ErrTimeLimit)
	}
	svgOf(t, "graph { ok }", Dot)
}

func TestNothingIsDrawnAfterACrash(t *testing.T) {
	for _, err := range []error{
		errors.New("wasm error: unreachable\nwasm stack trace:\n\t.$1(i32) i32"),
		sys.NewExitError(1),
		errors.New("failed to read wasm memory: (ptr, size) = (4294967040, 4) and memory size is 16777216"),
	} {
		crash := refusal(err)
		if !errors.Is(crash, errCrash) || strings.Contains(crash.Error(), "\n") || strings.Contains(crash.Error(), "wasm memory") {
			t.Fatalf("%q became %q", err, crash)
		}
		crashed = crash
		_, err := Render(t.Context(), []byte("graph { ok }"), Options{})
		crashed = nil
		if !errors.Is(err, errCrash) {
			t.Errorf("after %v: %v", crash, err)
		}
	}
}

func TestPNG(t *testing.T) {
	drawing := must.Get(Render(t.Context(), []byte(`digraph { a [fontname="No Such-Font"]; a -> "日本" }`), Options{Format: PNG}))(t)
	img := must.Get(png.Decode(bytes.NewReader(drawing)))(t)
	if b := img.Bounds(); b.Dx() < 50 || b.Dy() < 100 {
		t.Errorf("a PNG of %v", b)
	}
}

// An empty label is drawn empty, as in Graphviz; a node without a label shows its name.
func TestEmptyLabelIsDrawnEmpty(t *testing.T) {
	for _, test := range []struct {
		dot  string
		want []string // texts in the drawing
	}{
		{`graph { a [label=""]; b [label="x"]; a -- b }`, []string{"x"}},
		{`graph { a [label=""]; b; c [label="\N"] }`, []string{"b", "c"}},
		{`digraph { graph [label=""]; node [label=""]; a -> b [label=""]; subgraph cluster_0 { label=""; c } d [label="", xlabel=""]; e [shape=record, label=""] f [label="y"] }`, []string{"y"}},
		{`graph { a [label=<>] }`, nil},
	} {
		svg := svgOf(t, test.dot, Dot)
		var texts []string
		for _, part := range strings.Split(svg, "<text")[1:] {
			_, part, _ = strings.Cut(part, ">")
			text, _, _ := strings.Cut(part, "</text>")
			if strings.TrimSpace(text) != "" { // a record contains a blank
				texts = append(texts, text)
			}
		}
		if !slices.Equal(texts, test.want) {
			t.Errorf("%s: drawn are %q, want %q", test.dot, texts, test.want)
		}
	}
}
