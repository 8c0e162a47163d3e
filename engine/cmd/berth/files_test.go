package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

func TestStandardInput(t *testing.T) {
	deployment := must.Get(os.ReadFile("testdata/shop.dot"))(t)
	stdout, stderr, code := exec(t, string(deployment), "place", "--federation", "testdata/federation.dot", "--deployment", "-", "--format", "text")
	if code != statusPlaced || !strings.Contains(stdout, "warning: <stdin>:4:17: ") {
		t.Errorf("status %d, %s\n%s", code, stderr, stdout)
	}
	complains(t, string(deployment), "read only once", "place", "--federation", "-", "--deployment", "-")
	document := must.Get(os.ReadFile("testdata/scenario.json"))(t)
	complainsAt(t, string(document)+"}", "<stdin>:13:1: not JSON", "run", "-")
	complainsAt(t, "2.abc", "<stdin>: the link ", "link", "--decode", "-")
}

func TestOutputFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	succeeds(t, "", "run", "testdata/scenario.json", "--format=text", "--output", file)
	if data, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(data), "Two shops") {
		t.Errorf("%v, %s", err, data)
	}
	stdout, stderr, code := exec(t, "", "render", "testdata/shop.dot", "--output", file)
	if code != statusPlaced || stdout != "" {
		t.Fatalf("status %d, %s", code, stderr)
	}
	if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, []byte("<svg")) || !bytes.Contains(data, []byte(">cache</text>")) {
		t.Errorf("%v, %s", err, data)
	}
	for _, line := range [][]string{{"run", "testdata/scenario.json"}, {"render", "testdata/shop.dot"}} {
		for _, output := range []string{filepath.Join(file, "x"), filepath.Join(t.TempDir(), "none", "x"), t.TempDir()} {
			complainsAt(t, "", "berth "+line[0]+": --output: "+output+": ", append(line, "--output", output)...)
		}
	}
}

// Every graph of a file is drawn, to numbered files like those of dot -O, or one after the other.
func TestRenderDrawsEveryGraph(t *testing.T) {
	folder(t, "shop.dot")
	must.Do(t, os.WriteFile("three.dot", []byte("graph { one }\ndigraph { two -> 2 }\ngraph { three [label=\"\"] }\n"), 0o666))
	stdout, stderr, code := exec(t, "", "render", "three.dot")
	if code != statusPlaced || strings.Count(stdout, "<svg") != 3 {
		t.Fatalf("status %d, %s\n%s", code, stderr, stdout)
	}
	if stdout, stderr, code = exec(t, "", "render", "three.dot", "--output", "all.svg"); code != statusPlaced || stdout != "" {
		t.Fatalf("status %d, %s\n%s", code, stderr, stdout)
	}
	files := contents(t)
	for name, want := range map[string]string{"all.svg": ">one</text>", "all.2.svg": ">two</text>", "all.3.svg": "<title>three</title>"} {
		if !strings.Contains(files[name], want) || strings.Count(files[name], "<svg") != 1 {
			t.Errorf("%s has no %s:\n%s", name, want, files[name])
		}
	}
	if len(files) != 5 || strings.Contains(files["all.3.svg"], "<text") {
		t.Errorf("there are %v; the third drawing is\n%s", slices.Sorted(maps.Keys(files)), files["all.3.svg"])
	}
	must.Do(t, os.WriteFile("all.2.svg", []byte("graph { a }\ngraph {\n b --\n}"), 0o666))
	_, stderr, code = exec(t, "", "render", "all.2.svg")
	if want := "all.2.svg:4:1: graphviz: syntax error in line 4 near '}'\n"; code != statusBadInput || stderr != want {
		t.Errorf("status %d, %q, want %q", code, stderr, want)
	}
	must.Do(t, os.WriteFile("all.2.svg", []byte("graph { a }graph { b }"), 0o666))
	_, stderr, code = exec(t, "", "render", "all.2.svg", "--output", "all.svg")
	if code != statusBadInput || !strings.Contains(stderr, "all.2.svg is the input all.2.svg as well") || len(contents(t)) != 5 {
		t.Errorf("status %d, %q; there are %v", code, stderr, contents(t))
	}
}

func TestRenderLeavesNoScript(t *testing.T) {
	src := `graph { a [label="<script>x</script>", URL="javascript:alert(1)"]; b [URL="https://berth.example/"]; a -- b }`
	stdout, stderr, code := exec(t, src, "render", "-")
	if code != statusPlaced || strings.Contains(stdout, "javascript:") || strings.Contains(stdout, "<script") || !strings.Contains(stdout, "&lt;script&gt;x") {
		t.Errorf("status %d, %s\n%s", code, stderr, stdout)
	}
}

func TestRenderRefusesWhatIsTooDense(t *testing.T) {
	var b strings.Builder
	for i := range 78 {
		for k := range i {
			fmt.Fprintf(&b, "%d -- %d; ", i, k)
		}
	}
	_, stderr, code := exec(t, "graph { "+b.String()+"}", "render", "-")
	if want := "<stdin>:1:1: graphviz: 3003 edges: dot draws at most 3000, sfdp and neato 50000\n"; code != statusBadInput || stderr != want {
		t.Errorf("status %d, %s", code, stderr)
	}
}

func TestRenderPNG(t *testing.T) {
	stdout, stderr, code := exec(t, "", "render", "testdata/shop.dot", "--format", "png", "--layout", "neato")
	if code != statusPlaced || !strings.HasPrefix(stdout, "\x89PNG") {
		t.Errorf("status %d, %s", code, stderr)
	}
}

// endless is an infinite file.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func TestLargeInputIsNotRead(t *testing.T) {
	huge := filepath.Join(t.TempDir(), "huge.dot")
	must.Do(t, os.WriteFile(huge, nil, 0o666))
	must.Do(t, os.Truncate(huge, 1<<40))
	t.Chdir("testdata")
	simulated := "simulate --hosts simulate/hosts.csv --workload simulate/four.csv --horizon 1m "
	for line, want := range map[string]string{
		"place --deployment shop.dot --federation ":       ":1:1: the file has 1099511627776 bytes; at most 268435456 (256 MiB) are read\n",
		"place --federation federation.dot --deployment ": ":1:1: the file has 1099511627776 bytes",
		"run ":                       ":1:1: the file has 1099511627776 bytes",
		"link ":                      ":1:1: the file has 1099511627776 bytes",
		"render ":                    ":1:1: the file has 1099511627776 bytes",
		simulated + "--classes ":     ":1:1: the file has 1099511627776 bytes",
		simulated + "--controllers ": ":1:1: the file has 1099511627776 bytes",
		simulated + "--overheads ":   ": the file is too large: at most 67108864 bytes (64 MiB) are read\n",
		simulated + "--host-events ": ": the file is too large",
		simulated + "--overheads-cold simulate/overheads.csv --overheads-hot ": ": the file is too large",
		"simulate --workload simulate/four.csv --hosts ":                       ": the file is too large",
		"simulate --hosts simulate/hosts.csv --workload ":                      ":1:1: found a file that is not text: choose a text\n", // it is streamed
		"federate --workers 4 --gms 1 --lms 1 --trace ":                        ":1:1: found a file that is not text: choose a text\n",
	} {
		complainsAt(t, "", huge+want, strings.Fields(line+huge)...)
	}
	var in endless
	err := berth(t.Context(), []string{"run", "-"}, &in, io.Discard, io.Discard)
	if err == nil || !strings.HasPrefix(err.Error(), "<stdin>:1:1: there are more than 67108864 bytes (64 MiB), which is the limit") || in.read > 4*scenario.MaxBytes {
		t.Errorf("read %d bytes: %v", in.read, err)
	}
	in.read = 0
	err = berth(t.Context(), strings.Fields("simulate --hosts simulate/hosts.csv --horizon 1m --workload -"), &in, io.Discard, io.Discard)
	if err == nil || err.Error() != "<stdin>:1:1: found a file that is not text: choose a text" || in.read > 1<<20 { // it is streamed
		t.Errorf("of a workload it has read %d bytes and says %v", in.read, err)
	}
}

func TestEmptyNames(t *testing.T) {
	for want, line := range map[string][]string{
		"SCENARIO.json is empty":                    {"run", ""},
		"FILE.dot is empty":                         {"render", ""},
		"--output: expected the name of a file":     {"run", "-", "--output", ""},
		"--requests: expected the name of a file":   {"simulate", "--workload", "-", "--hosts", "-", "--requests", ""},
		"--deployment: expected the name of a file": {"place", "--federation", "-", "--deployment", ""},
		"--trace: expected the name of a file":      {"federate", "--trace="},
		"SCENARIO.json or FRAGMENT is empty":        {"link", "--decode", ""},
	} {
		complains(t, "", want, line...)
	}
}

// closed is a pipe whose reader has gone.
type closed struct{}

func (closed) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
}

func TestClosedPipeIsQuiet(t *testing.T) {
	var errs bytes.Buffer
	for _, line := range []string{"run testdata/scenario.json", "--help", "generate --help", "link testdata/scenario.json"} {
		err := berth(t.Context(), strings.Fields(line), nil, closed{}, &errs)
		if code := status(err, &errs); code != statusFailed || errs.Len() > 0 {
			t.Errorf("berth %s: status %d, %s", line, code, &errs)
		}
	}
}

// Files and standard input may be packed with gzip: the output is the same. A damaged archive is
// refused by name.
func TestPackedFilesAreRead(t *testing.T) {
	t.Chdir("testdata")
	folder := t.TempDir()
	run := func(in string, words []string) string {
		names := strings.NewReplacer(folder+"/", "", ".gz", "", "<stdin>", "shop.dot")
		return names.Replace(stillBy(wall, still(succeeds(t, in, words...))))
	}
	for _, line := range []string{
		"place --federation federation.dot --deployment shop.dot", "run scenario.json",
		"simulate --hosts simulate/hosts.csv --overheads simulate/overheads.csv --policy qos --policy priority --workload simulate/four.csv",
	} {
		words, file := strings.Fields(line), []byte(nil)
		want := run("", words)
		for i, word := range words {
			if text, err := os.ReadFile(word); err == nil {
				file, words[i] = scenariotest.Packed(string(text)), filepath.Join(folder, filepath.Base(word)+".gz")
				must.Do(t, os.WriteFile(words[i], file, 0o666))
			}
		}
		if got := run("", words); got != want {
			t.Errorf("%s, packed\n%s\nwant\n%s", line, got, want)
		}
		must.Do(t, os.WriteFile(words[len(words)-1], file[:40], 0o666))
		complainsAt(t, "", words[len(words)-1]+": the gzip file is cut off after 40 bytes", words...)
		words[len(words)-1] = "-"
		if got := run(string(file), words); got != want {
			t.Errorf("%s, piped\n%s\nwant\n%s", line, got, want)
		}
	}
}
