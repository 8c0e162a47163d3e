package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/examples"
)

// berth runs one command and returns its error for status.
func berth(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) error {
	return runAs("berth", ctx, args, in, out, errs)
}

// exec runs one command line in testdata.
func exec(t testing.TB, in string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	err := berth(t.Context(), args, strings.NewReader(in), &out, &errs)
	code = status(err, &errs)
	return out.String(), errs.String(), code
}

// complains runs a command line with bad input that must be reported; complainsAt expects the
// report at the start.
func complains(t testing.TB, in, said string, args ...string) {
	t.Helper()
	if _, stderr, code := exec(t, in, args...); code != statusBadInput || !strings.Contains(stderr, said) {
		t.Errorf("berth %q: status %d, %s\nwant %s", args, code, stderr, said)
	}
}

func complainsAt(t testing.TB, in, said string, args ...string) {
	t.Helper()
	if _, stderr, code := exec(t, in, args...); code != statusBadInput || !strings.HasPrefix(stderr, said) {
		t.Errorf("berth %q: status %d, %s\nwant %s", args, code, stderr, said)
	}
}

// succeeds runs a command line that must succeed, and returns its output.
func succeeds(t testing.TB, in string, args ...string) string {
	t.Helper()
	stdout, stderr, code := exec(t, in, args...)
	if code != statusPlaced {
		t.Fatalf("berth %q: status %d, %s", args, code, stderr)
	}
	return stdout
}

// measured matches the parts of a result that depend on a clock.
var measured = regexp.MustCompile(`(?s)"milliseconds": [\d.e-]+|searched for [\d.e-]+ ms[^\n]*|time, ms [^\n]*|"timings": \{.*?\n  \}`)

// still masks the measured times and the name of the engine in a result.
func still(result string) string { return stillBy(measured, result) }

func stillBy(clock *regexp.Regexp, result string) string {
	return clock.ReplaceAllString(strings.ReplaceAll(result, scenario.Engine, golden.Engine), "(measured)")
}

// commandLines lists the command lines of each golden file.
var commandLines = map[string][]string{
	"help": {
		"", "--help", "help", "place --help", "generate --help", "generate federation --help", "generate deployment --help",
		"run -h", "link -help", "help render",
	},
	"place": {
		"place --federation federation.dot --deployment shop.dot",
		"place --deployment thesis.dot --federation federation.dot --strategy random --seed 7",
		"place --federation federation.dot --deployment shop.dot --deployment huge.dot --deployment thesis.dot --format text",
		"place --federation federation.dot --deployment shop.dot --deployment huge.dot --format dot",
		"place --federation federation.dot --deployment huge.dot --format text",
		"place --federation federation.dot --deployment huge.dot --format dot",
		"place --federation federation.dot --deployment shop.dot --budget 1",
		"place --federation federation.dot --deployment shop.dot --strategy heuristic --strategy first-fit --strategy cheapest --format text",
		"place --federation federation.dot --deployment shop.dot --strategy cheapest --strategy best-fit",
		"place --federation federation.dot --deployment shop.dot --deployment thesis.dot --joint --explain db --format text",
		"place --federation federation.dot --deployment shop.dot --explain db",
		"place --gap problem.gap --strategy best-fit --explain all",
		"place --federation federation.dot --deployment movable.dot --deployment large.dot --format text",
		"place --federation federation.dot --deployment movable.dot --deployment large.dot",
	},
	"bad-flags": {
		"plan", "place", "place --federation federation.dot", "place shop.dot", "place --federaton x",
		"place --federation a.dot --federation b.dot --deployment shop.dot", "place --seed",
		"place --phi -1", "place --phi NaN", "place --phi Inf", "place --budget 0", "place --budget 1.5", "place --seed -1",
		"place --strategy heurstic", "place --format xml", "place --strict=perhaps", "run", "run a b", "run --format dot scenario.json",
		"link", "render", "render federation.dot --layout circle", "render federation.dot --format gif",
		"generate", "generate forest", "generate --nodes 3", "generate federation --edges 3", "generate deployment --nodes",
		"generate deployment --nodes three", "generate deployment --nodes -3", "generate deployment --nodes 1e99",
		"generate deployment --min_request=600", "generate federation --nodes 5000",
		"generate deployment --preset paper",
		"place --federation federation.dot --deployment shop.dot --strategy heuristic --strategy random --format dot", "place --steps -1", "place --gap problem.gap --deployment shop.dot",
		"place --federation federation.dot --deployment shop.dot --explain nobody", "place --gap federation.dot", "place --strict --strict", "help plan",
		"run scenario.json --verify --bundle out.zip", "run scenario.json --bundle -", "run scenario.json --bundle scenario.json",
		"run scenario.json --bundle out.zip --output ./out.zip", "sweep scenario.json --dry-run --bundle out.zip",
		"run scenario.json --format text --format json", "link --decode --decode 1.abc", "render federation.dot --layout dot --layout dot",
		"generate federation --nodes 3 --n_nodes 4", "simulate --margin 1s --margin 2s", "federate --workers 3 --gms 1 --workers 4",
	},
	"bad-input": {
		"place --federation missing.dot --deployment shop.dot",
		"place --federation . --deployment shop.dot",
		"place --federation federation.dot --deployment empty.dot",
		"place --federation federation.dot --deployment broken.dot",
		"place --federation federation.dot --deployment directed.dot",
		"place --federation delays.csv --deployment shop.dot",
		"place --federation shop.dot --deployment federation.dot",
		"place --federation federation.dot --deployment shop.dot --strict",
		"place --federation federation.dot --deployment shop.dot --center mars",
		"run missing.json", "run empty.dot", "run shop.dot", "run misspelt.json", "run graphs.json", "run scenario.json --verify",
		"link misspelt.json", "link --decode 1.abc$", "link --decode 2.abc", "link --decode 3.abc", "link --decode hello", "link --decode -",
		"render empty.dot", "render scenario.json",
	},
	"generate": {
		"generate federation --nodes 3 --seed 5", "generate federation --n_nodes 3 --seed=5 --star --dialect plain --min-cost 0.75",
		"generate deployment --preset thesis --index 1 --seed 2 --nodes 4 --edges 4",
		"generate deployment --min_latency 60 --max_latency=61 --nodes 2 --dialect plain",
		"generate deployment --nodes 3 --edges 1000",
	},
	"gallery": {
		"gallery --format bibtex", "gallery --format bibtex --figure megha-6 --figure thesis-6.3", "gallery --bundle out.zip",
		"gallery --bundle out.zip --format bibtex --figure megha-6", "gallery --help",
	},
	"run": {
		"run --timings scenario.json", "run --timings --format text scenario.json",
	},
	"diff": {
		"diff cheap.json dear.json", "diff --format json cheap.json dear.json", "diff report.json dear.json",
		"diff cheap.json cheap.json", "diff cheap.json missing.json", "diff cheap.json",
	},
}

// transcript returns what a person sees of command lines: each with its output without measured
// times, its messages and its exit status.
func transcript(t *testing.T, lines []string, clock *regexp.Regexp) string {
	t.Helper()
	var all [][]string
	for _, line := range lines {
		all = append(all, strings.Fields(line))
	}
	return transcriptOf(t, all, clock)
}

// transcriptOf is transcript of command lines that are split into words.
func transcriptOf(t *testing.T, lines [][]string, clock *regexp.Regexp) string {
	t.Helper()
	var b strings.Builder
	for _, words := range lines {
		line := strings.Join(words, " ")
		stdout, stderr, code := exec(t, "", words...)
		fmt.Fprintf(&b, "$ berth %s\n%s", line, stillBy(clock, stdout))
		if stderr != "" {
			fmt.Fprintf(&b, "[standard error]\n%s", still(stderr))
		}
		fmt.Fprintf(&b, "[exit status %d]\n\n", code)
		if code == statusBadInput && stdout != "" {
			t.Errorf("berth %s: bad input, but there is output", line)
		}
	}
	return b.String()
}

// Every golden file is a transcript.
func TestCommands(t *testing.T) {
	t.Chdir("testdata")
	for name, lines := range commandLines {
		t.Run(name, func(t *testing.T) {
			golden.Check(t, name+".txt", transcript(t, lines, measured))
		})
	}
}

func TestPlaceWritesNullsAndArrays(t *testing.T) {
	stdout, _, code := exec(t, "", "place", "--federation", "testdata/federation.dot", "--deployment", "testdata/huge.dot")
	var got struct {
		Deployments []map[string]any
		Total       map[string]any
		Notes       []any
	}
	must.Do(t, json.Unmarshal([]byte(stdout), &got))
	d := got.Deployments[0]
	for _, field := range []string{"placement", "cost", "expansions", "backtracks", "milliseconds"} {
		if _, ok := d[field]; !ok {
			t.Errorf("no %s", field)
		}
	}
	if cost := d["cost"].(map[string]any); d["placement"] != nil || cost["node"] != nil || cost["total"] != nil || got.Total["total"] != nil {
		t.Errorf("figures where nothing was placed: %v", got)
	}
	if !strings.Contains(stdout, `"notes": []`) || !strings.Contains(stdout, `"warnings": [`) || code != statusNotPlaced {
		t.Errorf("status %d and\n%s", code, stdout)
	}
}

// The specification determines these placements, costs and counts of the paper's heuristic.
func TestPlaceAsExpected(t *testing.T) {
	data := golden.Data(t)
	text := must.Get(os.ReadFile(filepath.Join(data, "placement", "expected.json")))(t)
	type result struct {
		Placement              map[string]string
		Cost                   struct{ Node, Link, Total float64 }
		Expansions, Backtracks int64
	}
	var expected map[string]result
	must.Do(t, json.Unmarshal(text, &expected))
	for name, want := range expected {
		graph := func(role string) string { return filepath.Join(data, "placement", name+"-"+role+".dot") }
		stdout, stderr, code := exec(t, "", "place", "--strategy", "heuristic",
			"--federation", graph("federation"), "--deployment", graph("deployment"))
		if code != statusPlaced {
			t.Fatalf("%s: status %d: %s", name, code, stderr)
		}
		var got struct{ Deployments []result }
		must.Do(t, json.Unmarshal([]byte(stdout), &got))
		if g, w := fmt.Sprint(got.Deployments), fmt.Sprint([]result{want}); g != w {
			t.Errorf("%s: got\n%s\nwant\n%s", name, g, w)
		}
	}
}

func TestLinkRoundTrip(t *testing.T) {
	document := must.Get(os.ReadFile("testdata/scenario.json"))(t)
	s := must.Get(scenario.Decode(document))(t)
	fragment, stderr, code := exec(t, string(document), "link", "-")
	if code != statusPlaced || !strings.HasPrefix(fragment, "s=2.") {
		t.Fatalf("status %d, %s%s", code, stderr, fragment)
	}
	fragment = strings.TrimSpace(fragment)
	for _, form := range []string{fragment, strings.TrimPrefix(fragment, "s="), "#" + fragment, "https://berth.example/placement#" + fragment} {
		back, stderr, code := exec(t, "", "link", "--decode", form)
		if code != statusPlaced || back != string(scenario.Encode(s)) {
			t.Errorf("%.20s…: status %d, %s; the scenario becomes\n%s", form, code, stderr, back)
		}
		if piped, _, _ := exec(t, form+"\n", "link", "--decode", "-"); piped != back {
			t.Errorf("%.20s…: on standard input another scenario:\n%s", form, piped)
		}
	}
}

// The output depends only on the scenario, like the page's exports. The test runs one example of
// each kind, and one in which some jobs are not placed; package examples runs all of them.
func TestExamplesRun(t *testing.T) {
	ran := 0
	for _, e := range examples.List() {
		if !slices.Contains([]string{"shop", "thesis-50", "validation-1", "three-masters"}, e.Name) {
			continue
		}
		ran++
		stdout, stderr, code := exec(t, string(scenario.Encode(e.Scenario)), "run", "-")
		r := must.Get(scenario.Run(t.Context(), e.Scenario, scenario.Env{}))(t)
		want := map[bool]int{true: statusPlaced, false: statusNotPlaced}[r.Complete()]
		if code != want || stdout != string(scenario.EncodeReport(r)) {
			t.Errorf("%s: status %d, want %d, and the bytes of the report:\n%s%s", e.Name, code, want, stdout, stderr)
		}
	}
	if ran != 4 {
		t.Errorf("%d examples ran", ran)
	}
}

func TestGeneratedGraphsAreRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, args ...string) string {
		stdout := succeeds(t, "", append([]string{"generate"}, args...)...)
		file := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(file, []byte(stdout), 0o666))
		return file
	}
	var results []string
	for _, dialect := range []string{"thesis", "plain"} {
		d := write("d.dot", "deployment", "--preset", "thesis", "--index", "3", "--dialect", dialect)
		for _, star := range []string{"--star=true", "--star=false"} {
			f := write("f.dot", "federation", "--preset", "thesis", "--nodes", "60", "--dialect", dialect, star)
			stdout := succeeds(t, "", "place", "--strategy", "heuristic", "--federation", f, "--deployment", d)
			results = append(results, still(stdout))
		}
	}
	for _, r := range results[1:] {
		if r != results[0] {
			t.Errorf("mesh and star, or the dialects, give different placements:\n%s\n%s", results[0], r)
		}
	}
}

func TestTextCountsOne(t *testing.T) {
	const cluster = `graph { c [cpu=10, cpu_cost=1] }`
	stdout, stderr, code := exec(t, cluster, "place", "--federation", "-", "--deployment", "testdata/shop.dot", "--format", "text")
	if code != statusNotPlaced || !strings.Contains(stdout, ": 1 cluster, 0 links\n") {
		t.Errorf("status %d, %s\n%s", code, stderr, stdout)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	err := berth(ctx, []string{"run", "testdata/scenario.json"}, nil, &out, &errs)
	if code := status(err, &errs); code != statusFailed || !strings.Contains(errs.String(), "cancelled") || out.Len() > 0 {
		t.Errorf("status %d, %s", code, &errs)
	}
}

// countdown is a context that ends after a number of checks.
type countdown struct {
	context.Context
	left   int
	cancel func()
}

func (c *countdown) Err() error {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// Wherever an interrupt stops a run, the command fails. It says so and prints the finished part, or
// prints nothing.
func TestAnInterruptedRunFails(t *testing.T) {
	parts := 0
	for asked, code := 1, statusFailed; code != statusPlaced; asked++ {
		ctx, cancel := context.WithCancel(t.Context())
		var out, errs bytes.Buffer
		err := berth(&countdown{ctx, asked, cancel}, []string{"run", "testdata/scenario.json"}, nil, &out, &errs)
		code = status(err, &errs)
		cancelled := ctx.Err() != nil
		cancel()
		part := strings.Contains(out.String(), `"partial": true`)
		switch {
		case part:
			parts++
			if code != statusFailed || errs.String() != "berth: interrupted: the figures are those up to then\n" {
				t.Fatalf("stopped at check %d: status %d, %s", asked, code, &errs)
			}
		case cancelled && code == statusPlaced, code != statusPlaced && (code != statusFailed || out.Len() > 0):
			t.Fatalf("stopped at check %d: status %d, %d bytes, %s", asked, code, out.Len(), &errs)
		}
	}
	if parts == 0 {
		t.Error("no interrupt left a part of the run")
	}
}

// An interrupt also ends a command that waits for typed input.
func TestCancelledWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, typing := io.Pipe()
	defer typing.Close()
	go func() {
		typing.Write([]byte("{")) // read when the command waits for more
		cancel()
	}()
	var errs bytes.Buffer
	if code := status(berth(ctx, []string{"run", "-"}, in, io.Discard, &errs), &errs); code != statusFailed || errs.String() != "berth: <stdin>: interrupted\n" {
		t.Errorf("status %d, %s", code, &errs)
	}
}

func TestStatusOfOtherErrors(t *testing.T) {
	var errs bytes.Buffer
	if code := status(fmt.Errorf("w.csv: %w", context.Canceled), &errs); code != statusFailed || errs.String() != "berth: w.csv: interrupted\n" {
		t.Errorf("status %d, %s", code, &errs)
	}
	errs.Reset()
	if code := status(errors.New("disk full"), &errs); code != statusFailed || errs.String() != "berth: disk full\n" {
		t.Errorf("status %d, %s", code, &errs)
	}
}
