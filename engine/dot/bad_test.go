package dot_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/golden"
)

// report reads a text as a file for the given role and returns its diagnostics, one per line, as
// "severity line:column: message".
func report(role dot.Role, src string, o dot.Options) string {
	var all diag.List
	if role == dot.Federation {
		_, all = dot.ReadFederation("x.dot", []byte(src), o)
	} else {
		_, all = dot.ReadDeployments("x.dot", []byte(src), o)
	}
	var lines []string
	for _, d := range all {
		lines = append(lines, fmt.Sprintf("%s %d:%d: %s", d.Severity, d.Line, d.Column, d.Message()))
	}
	return strings.Join(lines, "\n")
}

func TestBadInput(t *testing.T) {
	cases(t, "testdata/bad.txt", func(_ *testing.T, name, src string) string {
		role := dot.Deployment
		if strings.HasPrefix(name, "federation") {
			role = dot.Federation
		}
		return report(role, src, dot.Options{})
	})
	for _, c := range []struct{ name, src, want string }{
		{"binary", "graph {\n a\x00b }", `error 2:3: the byte 0x00 is not text: a .dot file is text in UTF-8`},
		{"not UTF-8", "graph { é\xff }", `error 1:10: the byte 0xFF is not text: a .dot file is text in UTF-8, or in Latin-1 if the graph says charset=latin1`},
		{"compressed", "\x1f\x8b\x08\x00", `error 1:2: the byte 0x8B is not text: a .dot file is text in UTF-8`},
		{"a long name", "graph { " + strings.Repeat("a", 200) + " [request=1, limit=-1] }", `error 1:228: job "` + strings.Repeat("a", 60) + `…": limit of cpuOffloading is "-1", which is negative: expected a number that is not negative (units)`},
		{"control characters", "graph { \"\x1b[31m\u0085\" [\"lim\u009b\u009b\u009b\"=1, \"gpu\x07_limit\"=2, request=1, limit=-1] }", `warning 1:19: job "\x1b[31m\u0085": the attribute "lim\u009b\u009b\u009b" is neither of Graphviz nor a label; only a rule can use it
error 1:31: job "\x1b[31m\u0085": unknown attribute "gpu\a_limit": did you mean cpu_limit?
error 1:64: job "\x1b[31m\u0085": limit of cpuOffloading is "-1", which is negative: expected a number that is not negative (units)`},
	} {
		if got := report(dot.Deployment, c.src, dot.Options{}); got != c.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestStrictTurnsWarningsIntoErrorsButNoNotes(t *testing.T) {
	src := "graph { node [request=2, limit=1, zone=x] a -- b [latency=1] b --- a [latency=1]; a -- a [latency=1] }"
	soft, hard := report(dot.Deployment, src, dot.Options{}), report(dot.Deployment, src, dot.Options{Strict: true})
	if strings.Count(soft, "warning") != 5 || strings.Count(soft, "note") != 1 || strings.Contains(soft, "error") {
		t.Errorf("not strict:\n%s", soft)
	}
	if hard != strings.ReplaceAll(soft, "warning", "error") {
		t.Errorf("strict:\n%s", hard)
	}
}

func TestOnlyTheFirstHundredAreTold(t *testing.T) {
	src := "graph {\n" + strings.Repeat("a -- a [latency=1]\n", 150) + strings.Repeat("b [limit=-1]\n", 250) + "}"
	lines := strings.Split(report(dot.Deployment, src, dot.Options{}), "\n")
	if len(lines) != 202 || lines[200] != "error 251:10: and 152 more errors" || lines[201] != "warning 101:1: and 50 more warnings" {
		t.Errorf("%d lines, the last:\n%s", len(lines), strings.Join(lines[len(lines)-2:], "\n"))
	}
}

// Repetition takes time and memory proportional to the length of the text. Otherwise these texts
// would take forever.
func TestRepeatsTakeLinearTime(t *testing.T) {
	golden.Long(t)
	const n = 300_000
	distinct := func(format string) string {
		var b strings.Builder
		for i := range n / 10 {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, src := range map[string]string{
		"a field of a label":      `graph { a [label="cpuOffloading` + strings.Repeat(" - limit:1", n) + `"] }`,
		"an unknown field":        `graph { a [label="cpuOffloading` + strings.Repeat(" - x:1", n) + `"] }`,
		"an attribute":            "graph { a [" + strings.Repeat("limit=1 ", n) + "] }",
		"an unknown attribute":    "graph { a [" + strings.Repeat("limits=1 ", n) + "] }",
		"many unknown attributes": "graph { a [" + distinct("limits%d=1 ") + "] }",
		"a label":                 "graph { a [" + strings.Repeat(`label="preemption - value:1" `, n/4) + "] }",
		"an unknown label":        "graph { a [" + strings.Repeat(`label="premption - value:1" `, n/4) + "] }",
		"a list":                  "graph { a " + strings.Repeat("[limit=1]", n) + " }",
		"a statement":             "graph { " + strings.Repeat("a[limit=-1];", n) + " }",
		"a default":               "graph { " + strings.Repeat("node[limit=-1]", n) + " }",
		"a label in a statement":  "graph { " + strings.Repeat(`a[label="preemption - value:1"]`, n/4) + " }",
		"an edge":                 "strict graph { " + strings.Repeat("a--b[latency=-1]", n/2) + " }",
		"an edge to itself":       "graph { " + strings.Repeat("a--a[latency=-1]", n/2) + " }",
		"a syntax error":          "graph { " + strings.Repeat("a[=]", n) + " }",
		"an odd character":        "graph { " + strings.Repeat("“", n) + " }",
		"a numeral":               "graph { " + strings.Repeat("1e9 ", n) + " }",
		"a sum of strings":        "graph { a [label=" + strings.Repeat(`"x"+`, n) + `"x"] }`,
		"a comment":               "graph { a " + strings.Repeat(`"b"/**/`, n) + " }",
		"a subgraph":              "graph { " + strings.Repeat("subgraph x {a}", n) + " }",
		"a number of digits":      "graph { a [limit=" + strings.Repeat("9", n) + "e1] }",
		"a brace":                 "graph " + strings.Repeat("{", n),
		"a name":                  strings.Repeat("a ", n),
		"a bracket":               "graph { a " + strings.Repeat("[", n),
		"dashes":                  "graph { a" + strings.Repeat(" -- a", n),
		"an arrow":                "graph { a" + strings.Repeat(" -> ", n),
		"a semicolon":             "graph { " + strings.Repeat(";", n),
		"a byte that is no text":  strings.Repeat("\x00", n),
	} {
		t.Run(name, func(t *testing.T) {
			got, allocated := allocation(func() string { return report(dot.Deployment, src, dot.Options{}) })
			if lines := strings.Count(got, "\n"); lines > 203 || len(got) > 100_000 {
				t.Errorf("%d bytes in %d lines are told", len(got), lines)
			}
			if !strings.Contains(got, "error 1:") {
				t.Errorf("no error: %.200s", got)
			}
			if allocated > 100*uint64(len(src)) {
				t.Errorf("%d bytes are allocated for a text of %d", allocated, len(src))
			}
		})
	}
}

func TestLimits(t *testing.T) {
	nested := "graph {" + strings.Repeat("{", 20000) + strings.Repeat("}", 20000) + "}"
	for _, c := range []struct {
		name, src string
		limits    budget.Limits
		want      string
	}{
		{"bytes", strings.Repeat("x", 101), most(budget.Bytes, 100), "error 1:1: the inputs hold more than 100 bytes of text together, which is the limit: load fewer or smaller files"},
		{"depth", nested, budget.Limits{}, "error 1:207: subgraphs are nested more than 200 deep, which is the limit: nest them less"},
		{"nested chains", "graph {" + strings.Repeat("{ a"+strings.Repeat("-- a ", 99)+" -- ", 300), budget.Limits{}, "error 1:99906: subgraphs are nested more than 200 deep, which is the limit: nest them less"},
		{"nodes", "graph { node [request=1, limit=1]\n a b c d e }", most(budget.Nodes, 4), "error 2:10: " + tooMany(4, "jobs and clusters")},
		{"edges", "graph { node [request=1, limit=1] edge [latency=1]\n a -- b -- c\n a -- c }", most(budget.Edges, 2), "error 3:2: " + tooMany(2, "dependencies and links")},
		{"edges of all graphs", "graph { node [request=1, limit=1] edge [latency=1] a -- b -- c } graph { node [request=1, limit=1] edge [latency=1] a -- b -- c }", most(budget.Edges, 3), "error 1:122: " + tooMany(3, "dependencies and links")},
		{"subgraphs", "graph { node [request=1, limit=1] subgraph x { a b c d }" + strings.Repeat(" subgraph x { }", 8) + "}", most(budget.Members, 32), "error 1:172: the inputs hold more than 32 members of subgraphs together, which is the limit: load fewer or smaller files"},
		{"edges by product", "graph { node [request=1, limit=1] edge [latency=1]\n {a b c} -- {d e f} }", most(budget.Edges, 8), "error 2:3: " + tooMany(8, "dependencies and links")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := report(dot.Deployment, c.src, dot.Options{Budget: budget.New(c.limits)}); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	chain := "graph { node [request=1, limit=1] edge [latency=1] 0" + strings.Repeat(" -- 1 -- 0", 100_000) + " }"
	if got := report(dot.Deployment, chain, dot.Options{}); !strings.HasPrefix(got, "note 1:57: 199999 dependencies") {
		t.Errorf("a long chain: %.200s", got)
	}
	inside := "graph { node [request=1, limit=1] edge [latency=1]\n {a b c} -- {d e f} }"
	limits := budget.Limits{Depth: 2}
	limits.Most[budget.Nodes], limits.Most[budget.Edges], limits.Most[budget.Members], limits.Most[budget.Bytes] = 6, 9, 6, int64(len(inside))
	if got := report(dot.Deployment, inside, dot.Options{Budget: budget.New(limits)}); got != "" {
		t.Errorf("at the limits: %s", got)
	}
}

// Files that are read together share one limit.
func TestFilesShareABudget(t *testing.T) {
	o := dot.Options{Budget: budget.New(most(budget.Nodes, 5))}
	for i, want := range []string{"", "error 1:39: " + tooMany(5, "jobs and clusters")} {
		if got := report(dot.Deployment, "graph { node [request=1, limit=1] a b c }", o); got != want {
			t.Errorf("file %d: got\n%s\nwant\n%s", i+1, got, want)
		}
	}
}

// most returns limits with at most n of a quantity.
func most(k budget.Quantity, n int64) (l budget.Limits) {
	l.Most[k] = n
	return l
}

func tooMany(n int, what string) string {
	return fmt.Sprintf("the inputs hold more than %d %s together, which is the limit: load fewer or smaller files", n, what)
}

// A short text that expands to many edges is refused before the edges are created.
func TestProductsAreCountedBeforeTheyAreMade(t *testing.T) {
	var nodes strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&nodes, " %d", i)
	}
	src := "graph { node [request=1, limit=1] edge [latency=1] {" + nodes.String() + "} -- {" + nodes.String() + "} }"
	got, allocated := allocation(func() string { return report(dot.Deployment, src, dot.Options{}) })
	if want := "error 1:54: " + tooMany(4_000_000, "dependencies and links"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if most := 1000 * len(src); allocated > uint64(most) {
		t.Errorf("%d bytes are allocated for a text of %d", allocated, len(src))
	}
}

// allocation returns how many bytes f allocates.
func allocation(f func() string) (string, uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result := f()
	runtime.ReadMemStats(&after)
	return result, after.TotalAlloc - before.TotalAlloc
}
