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
	const d, f = dot.Deployment, dot.Federation
	for _, c := range []struct {
		name string
		role dot.Role
		src  string
		want string
	}{
		// not a graph
		{"empty", d, "", `error 1:1: the file is empty: expected "graph { ... }"`},
		{"only comments", f, "// nothing\n", `error 1:1: the file is empty: expected "graph { ... }"`},
		{"binary", d, "graph {\n a\x00b }", `error 2:3: the byte 0x00 is not text: a .dot file is text in UTF-8`},
		{"not UTF-8", d, "graph { é\xff }", `error 1:10: the byte 0xFF is not text: a .dot file is text in UTF-8, or in Latin-1 if the graph says charset=latin1`},
		{"compressed", d, "\x1f\x8b\x08\x00", `error 1:2: the byte 0x8B is not text: a .dot file is text in UTF-8`},
		{"prose", d, "this is no graph at all", `error 1:1: syntax error at "this": expected "graph {" or "strict graph {", with the name of the graph before "{" if it has one`},
		{"JSON", d, `{"version": 1}`, `error 1:1: syntax error at "{": expected "graph {" or "strict graph {", with the name of the graph before "{" if it has one`},
		{"no jobs", d, "graph {\n}", `error 2:1: the graph has no jobs: write one as: a [request=..., limit=...]`},
		{"text behind the graph", d, "graph { a [request=1, limit=1] }\n}", `error 2:1: syntax error at "}": expected "graph {" or "strict graph {", with the name of the graph before "{" if it has one`},

		// truncated
		{"no end", d, "graph {\n a [request=1, limit=1]\n", `error 3:1: the file ends inside the graph that begins in line 1: add the missing "}" or statement`},
		{"cut in a string", d, "graph {\n a [label=\"x", `error 2:11: the quoted string that begins here is never closed: add a '"'`},
		{"cut in an HTML string", d, "graph { a [label=<x <b>", `error 1:18: the HTML string that begins here is never closed: add a ">", or write text in quotes`},
		{"cut in a comment", d, "graph { a [request=1, limit=-1] b /* x", "error 1:29: job \"a\": limit of cpuOffloading is \"-1\", which is negative: expected a number that is not negative (units)\n" +
			`error 1:35: the comment that begins here is never closed: add "*/"`},
		{"cut in the header", d, "strict graph", `error 1:13: syntax error at the end of the file: expected "graph {" or "strict graph {", with the name of the graph before "{" if it has one`},

		// directed
		{"digraph", d, "digraph { a [request=1 limit=1] b [request=1 limit=1]\n a -> b [latency=-1] }", `error 1:1: the graph is directed, and dependencies and links have no direction: write "graph" for "digraph" and "--" for "->"`},
		{"arrow", f, "graph { a [cpu=1 cpu_cost=1] b [cpu=1 cpu_cost=1] a --> b [link_cost=1] }", `error 1:53: the graph is directed, and dependencies and links have no direction: write "graph" for "digraph" and "--" for "->"`},

		// syntax
		{"all syntax errors, and the rest", d, `graph {
	a [request=1 limit=]
	b [request=-0.5, limit=1]
	c -- [latency=1];
	e request=2
	d [request 1]
	f [request=1, limit=1, ]
	g [request=1, limit=1 "latency"]
	h [request=2, limit=1]
}`, `error 2:21: syntax error at "]": expected a value after "="
error 3:13: job "b": request of cpuOffloading is "-0.5", which is negative: expected a number that is not negative (units)
error 4:7: syntax error at "[": expected a node or a subgraph after "--"
error 5:4: request belongs on a job, in brackets after its name, and not on the graph
error 6:13: syntax error at "1": expected "=" and a value
error 8:33: syntax error at "]": expected "=" and a value
warning 9:13: job "h": the cpuOffloading request 2 is above the limit 1`},
		{"after a subgraph", d, `graph { node [request=1, limit=1]; { a b } [limit=9] c, -- d }`, `error 1:45: limit after a subgraph does not apply to its elements: write node [limit=...] or edge [limit=...] at the start of the subgraph
error 1:57: syntax error at "--": expected a node after ","`},
		{"a keyword as a node", d, `graph { node -- edge }`, `error 1:14: syntax error at "--": expected "[" after the keyword; a node of that name needs quotes`},
		{"odd characters", d, "graph { a [request=1, limit=1]; a ! “b” }", `error 1:35: the character '!' has no meaning here: put names with such characters in quotes
error 1:37: the character '“' has no meaning here: write "
error 1:38: job "b" has no label: add request=..., limit=...
error 1:39: the character '”' has no meaning here: write "`},
		{"exponents", d, `graph { a [request=1e-3, limit=1e3, storage_request=2E+2, storage_limit="1e3"] }`, `error 1:20: 1e-3 has an exponent: put such a number in quotes
error 1:32: 1e3 has an exponent: put such a number in quotes
error 1:53: 2E+2 has an exponent: put such a number in quotes`},
		{"numbers with units", d, "graph { a [request=1, limit=20m] }", `error 1:29: "20m" is neither a name nor a number: put it in quotes if it is a name
error 1:29: job "a": limit of cpuOffloading is "20m", which is not a number: expected a number that is not negative (units)`},
		{"colour without quotes", d, "graph { node [color=#FFF]\n a [request=1, limit=1] }", `error 1:21: a value that begins with "#" needs quotes`},
		{"a single dash", d, "graph { node [request=1, limit=1] a - b [latency=1] }", `error 1:37: a single "-": an edge is written "--"`},
		{"plus", d, `graph { a [request=1, limit=1, label="x" + y] + b [request=1, limit=1]}`, `error 1:44: expected a quoted string after "+", which joins two of them
error 1:45: syntax error at "]": expected "=" and a value
error 1:47: "+" joins two quoted strings and has no meaning here`},

		// figures
		{"negative", f, "graph { a [cpu=-5, cpu_cost=1] }", `error 1:16: cluster "a": amount of cpu is "-5", which is negative: expected a number that is not negative (units)`},
		{"infinite", f, `graph { a [label="cpu - amount:inf - cost:1e999", label="x"] }`, `error 1:18: cluster "a": amount of cpu is "inf", which is not finite: expected a number that is not negative (units)
error 1:18: cluster "a": cost of cpu is "1e999", which is not finite: expected a number that is not negative (per unit)`},
		{"not a number", f, `graph { a [cpu="NaN", cpu_cost=""] b [cpu="0x10", cpu_cost="1_0"] }`, `error 1:16: cluster "a": amount of cpu is "NaN", which is not finite: expected a number that is not negative (units)
error 1:32: cluster "a": cost of cpu is "", which is empty: expected a number that is not negative (per unit)
error 1:43: cluster "b": amount of cpu is "0x10", which is not a number: expected a number that is not negative (units)
error 1:60: cluster "b": cost of cpu is "1_0", which is not a number: expected a number that is not negative (per unit)`},
		{"no figure", f, `graph { a [label="cpu - amount: - cost:1", label="x"] }`, `error 1:18: cluster "a": amount of cpu is "", which is empty: expected a number that is not negative (units)`},
		{"flag", d, `graph { a [request=1, limit=1, preemption=2] }`, `error 1:43: job "a": value of preemption is "2", which is neither 0 nor 1: expected 0 or 1`},
		{"missing", d, "graph { a [request=1]\n b [label=\"cpuOffloading - limit:1\", label=b] }", `error 1:20: job "a": cpuOffloading lacks limit: add limit=..., or limit:... to the label
error 2:11: job "b": cpuOffloading lacks request: add request=..., or request:... to the label`},
		{"unknown field", d, `graph { a [label="cpuOffloading - request:1 - limit:2 - amount:3", label=a] }`, `error 1:18: job "a": cpuOffloading has no field "amount": it has request, limit`},
		{"field twice", d, `graph { a [label="cpuOffloading - request:1 - limit:2 - limit:3", label=a] }`, `error 1:18: job "a": cpuOffloading gives limit twice`},

		// labels
		{"unknown label", d, `graph { a [label="cpuOfloading - request:1 - limit:2", label=a] b [label="gpu - count:1", label=b] c [label="gpu - count:1"] }`,
			`error 1:18: job "a": unknown label "cpuOfloading": did you mean cpuOffloading?
error 1:74: job "b": unknown label "gpu": a job may have cpuOffloading, memoryOffloading, storageOffloading, move, preemption
error 1:109: job "c": unknown label "gpu": a job may have cpuOffloading, memoryOffloading, storageOffloading, move, preemption`},
		{"label elsewhere", d, `graph { a [request=1, limit=1, label="cpu - amount:1 - cost:2", label=a, latency=3] }`, `error 1:38: job "a": the label cpu belongs on a cluster, not on a job
error 1:74: job "a": latency belongs on a dependency or a link, not on a job`},
		{"two of a type", d, "graph {\n a [label=\"cpuOffloading - request:1 - limit:2\", label=\"cpuOffloading - request:1 - limit:2\", label=a]\n b [request=1, limit=2, label=\"cpuOffloading - request:1 - limit:2\"]\n c [request=1, limit=2, cpu_request=3] }",
			`error 2:56: job "a": two cpuOffloading labels on one job, the first in line 2: leave one out
error 3:31: job "b": two cpuOffloading labels on one job, the first in line 3: leave one out
error 4:25: job "c": cpu_request is given twice, in line 4 too`},
		{"two of a type in two statements", d, "graph {\n a [label=\"cpuOffloading - request:1 - limit:2\"]\n a [label=\"cpuOffloading - request:1 - limit:2\"]\n b [request=1, limit=1]\n b [label=\"cpuOffloading - request:1 - limit:2\"] }",
			`error 3:11: job "a": two cpuOffloading labels on one job, the first in line 2: leave one out
error 5:11: job "b": two cpuOffloading labels on one job, the first in line 4: leave one out`},
		{"names before data", d, `graph { a [label="A", label="cpuOffloading - request:1 - limit:2"] }`, `error 1:18: job "a": the label "A" has no data: write all labels except the last, which is the name, as "type - field:figure"`},
		{"no label", d, "graph { a [color=red]\n a -- b [latency=1]; b -- a [style=dashed] c [preemption=1] }", `error 1:9: job "a" has no label: add request=..., limit=...
error 2:7: job "b" is named in an edge only and has no label: add a statement for it with request=..., limit=...
error 2:22: dependency "b" -- "a" has no label: add latency=...
error 2:44: job "c" has no request: add request=..., limit=...`},
		{"unknown attributes", d, "graph { a [request=1, limit=1, reqest=2, limits=3, fpga_request=1, cpuOffloadingBurst=4, zone=eu, fontsize=4]\n b [request=1, limit=1, zone=us] }", `error 1:32: job "a": unknown attribute "reqest": did you mean request?
error 1:42: job "a": unknown attribute "limits": did you mean limit?
error 1:52: job "a": unknown attribute "fpga_request": a job may have request, limit, memory_request, memory_limit, storage_request, storage_limit, move_cost, preemption
error 1:68: job "a": unknown attribute "cpuOffloadingBurst": a job may have request, limit, memory_request, memory_limit, storage_request, storage_limit, move_cost, preemption
warning 1:90: job "a": the attribute "zone" is neither of Graphviz nor a label; only a rule can use it`},
		{"figures on the graph", d, "graph { a request=1; latency=4; graph [limit=1] b [request=1, limit=1] a [request=1, limit=1] }", `error 1:11: request belongs on a job, in brackets after its name, and not on the graph
error 1:22: latency belongs on a dependency or a link, in brackets after its name, and not on the graph
error 1:40: limit belongs on a job, in brackets after its name, and not on the graph`},
		{"a default is told once", d, "graph { node [request=-1]; a [limit=1]; b [limit=1] }", `error 1:23: each job: request of cpuOffloading is "-1", which is negative: expected a number that is not negative (units)`},
		{"a long name", d, "graph { " + strings.Repeat("a", 200) + " [request=1, limit=-1] }", `error 1:228: job "` + strings.Repeat("a", 60) + `…": limit of cpuOffloading is "-1", which is negative: expected a number that is not negative (units)`},

		// edges
		{"to itself", d, "graph { a [request=1, limit=1]; a -- a [latency=1] }", `warning 1:33: job "a" depends on itself: ignored`},
		{"a link to itself", f, "graph { a [cpu=1, cpu_cost=1]; a -- a [link_cost=1] }", `warning 1:32: cluster "a" has a link to itself: ignored`},
		{"parallel", d, "graph { node [request=1, limit=1]\n a -- b [latency=1]\n b -- a [latency=2]; a -- b [latency=3] }", `note 3:2: 2 dependencies (this is the first) join two jobs each that another one joins already: the tightest bounds of both count`},
		{"parallel links", f, "graph { node [cpu=1, cpu_cost=1]\n a -- b [link_cost=1]\n b -- a [link_cost=2] }", `note 3:2: this link joins two clusters that another one joins already: the one with the lowest latency counts`},
		{"control characters", d, "graph { \"\x1b[31m\u0085\" [\"lim\u009b\u009b\u009b\"=1, \"gpu\x07_limit\"=2, request=1, limit=-1] }", `warning 1:19: job "\x1b[31m\u0085": the attribute "lim\u009b\u009b\u009b" is neither of Graphviz nor a label; only a rule can use it
error 1:31: job "\x1b[31m\u0085": unknown attribute "gpu\a_limit": did you mean cpu_limit?
error 1:64: job "\x1b[31m\u0085": limit of cpuOffloading is "-1", which is negative: expected a number that is not negative (units)`},
		{"dashes", d, "graph { node [request=1, limit=1]\n edge [latency=1] a --- b; b ---- c }", `warning 2:21: a run of more than two dashes is read as "--" (runs in the file: 2)`},

		// the centre and the role
		{"no such centre", f, "graph { center=x a [cpu=1, cpu_cost=1] }", `error 1:16: the centre "x" is not a cluster of the federation`},
		{"links beside the centre", f, "graph { center=a node [cpu=1, cpu_cost=1] edge [link_cost=1] a -- {b c} b -- c }", `warning 1:16: 1 link does not touch the centre "a" and is ignored: the path through the centre replaces it`},
		{"two links beside the centre", f, "graph { center=a node [cpu=1, cpu_cost=1] edge [link_cost=1] a -- {b c d} b -- c -- d }", `warning 1:16: 2 links do not touch the centre "a" and are ignored: paths through the centre replace them`},
		{"second federation", f, "graph { a [cpu=1, cpu_cost=1] }\ngraph { b [cpu=1, cpu_cost=1] }", `error 2:1: a second graph: a federation is a single graph, so keep one in the file`},
		{"the other role", d, "graph { a [cpu=1, cpu_cost=1] }", `error 1:1: the labels of this graph are those of a federation: expected a deployment here`},
		{"the other role, too", f, "graph { a [request=1, limit=1] }", `error 1:1: the labels of this graph are those of a deployment: expected a federation here`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := report(c.role, c.src, dot.Options{}); got != c.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", c.src, got, c.want)
			}
		})
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
