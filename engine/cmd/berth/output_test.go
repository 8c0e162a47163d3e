package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	process "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"berth/engine/must"
)

// folder runs the command lines of a test in a new folder with copies of files of testdata.
func folder(t *testing.T, names ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		data := must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666))
	}
	t.Chdir(dir)
}

// contents returns the files of the folder by name.
func contents(t *testing.T) map[string]string {
	t.Helper()
	entries := must.Get(os.ReadDir("."))(t)
	all := map[string]string{}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		data := must.Get(os.ReadFile(e.Name()))(t)
		all[e.Name()] = string(data)
	}
	return all
}

// An input cannot be an output, under any name, and does not change.
func TestOutputIsNoInput(t *testing.T) {
	folder(t, "simulate/four.csv", "simulate/hosts.csv", "simulate/overheads.csv", "simulate/events.csv", "simulate/classes.json", "simulate/controllers.json", "simulate/scenario.json", "shop.dot")
	must.Do(t, os.Link("four.csv", "hard.csv"))
	must.Do(t, os.Symlink("four.csv", "soft.csv"))
	before := contents(t)
	const usual = "simulate --workload four.csv --hosts hosts.csv --overheads overheads.csv --host-events events.csv --classes classes.json --controllers controllers.json --horizon 1m --requests "
	for line, input := range map[string]string{
		usual + "four.csv": "four.csv", usual + "./four.csv": "four.csv", usual + "hard.csv": "four.csv", usual + "soft.csv": "four.csv",
		usual + "hosts.csv": "hosts.csv", usual + "overheads.csv": "overheads.csv", usual + "events.csv": "events.csv",
		usual + "classes.json": "classes.json", usual + "controllers.json": "controllers.json",
		"simulate --requests four.csv --workload soft.csv --hosts hosts.csv": "soft.csv",
		"run scenario.json --output scenario.json":                           "scenario.json", "render shop.dot --output shop.dot": "shop.dot",
		"run scenario.json --output hosts.csv": "hosts.csv",
	} {
		stdout, stderr, code := exec(t, "", strings.Fields(line)...)
		if code != statusBadInput || stdout != "" || !strings.Contains(stderr, input) || !strings.Contains(stderr, "would be lost") {
			t.Errorf("berth %s: status %d, %s%s", line, code, stdout, stderr)
		}
	}
	if after := contents(t); !maps.Equal(after, before) {
		t.Errorf("files have changed: %v", after)
	}
}

// The same holds for standard input if it is a file.
func TestOutputIsNotStandardInput(t *testing.T) {
	folder(t, "shop.dot")
	in := must.Get(os.Open("shop.dot"))(t)
	defer in.Close()
	before := contents(t)
	err := berth(t.Context(), strings.Fields("render - --output shop.dot"), in, io.Discard, io.Discard)
	if code := status(err, io.Discard); code != statusBadInput || !maps.Equal(contents(t), before) {
		t.Errorf("status %d: %v", code, err)
	}
}

// An invalid output is refused before anything is read.
func TestOutputsAreRefusedFirst(t *testing.T) {
	folder(t)
	must.Do(t, os.Symlink("nothing", "dangling"))
	for output, want := range map[string]string{".": ".: is a directory", "none/x": "none/x: no such file", "dangling": "dangling: links to a file that does not exist"} {
		for line, name := range map[string]string{"simulate --workload - --hosts missing.csv --requests ": "requests", "run - --output ": "output", "render - --output ": "output"} {
			var in endless
			err := berth(t.Context(), strings.Fields(line+output), &in, io.Discard, io.Discard)
			if err == nil || status(err, io.Discard) != statusBadInput || !strings.Contains(err.Error(), ": --"+name+": "+want) || in.read > 0 {
				t.Errorf("berth %s%s: %v, read %d bytes", line, output, err, in.read)
			}
		}
	}
}

func TestFailedRunsLeaveTheOutput(t *testing.T) {
	folder(t, "simulate/four.csv", "simulate/hosts.csv", "simulate/bad.csv", "simulate/missing.json", "empty.dot")
	must.Do(t, os.WriteFile("out", []byte("before"), 0o666))
	before := contents(t)
	for _, line := range []string{
		"simulate --workload bad.csv --hosts hosts.csv --requests out", "simulate --workload four.csv --hosts hosts.csv --policy best --requests out",
		"run missing.json --output out", "render empty.dot --output out", "simulate --workload bad.csv --hosts hosts.csv --requests new",
	} {
		if _, stderr, code := exec(t, "", strings.Fields(line)...); code != statusBadInput || !maps.Equal(contents(t), before) {
			t.Errorf("berth %s: status %d, %s: %v", line, code, stderr, contents(t))
		}
	}
}

// until ends the context of a run when the run writes something.
type until struct {
	bytes.Buffer
	cancel func()
}

func (u *until) Write(p []byte) (int, error) {
	u.cancel()
	return u.Buffer.Write(p)
}

// The list of an interrupted simulation would lack requests.
func TestInterruptedRunsLeaveTheOutput(t *testing.T) {
	folder(t, "simulate/broker.csv", "simulate/hosts.csv", "simulate/resized.csv")
	ctx, cancel := context.WithCancel(t.Context())
	out := until{cancel: cancel} // receives the report, which comes after the list
	var errs bytes.Buffer
	err := berth(ctx, strings.Fields("simulate --workload broker.csv --hosts hosts.csv --host-events resized.csv --requests out"), nil, &out, &errs)
	if code := status(err, &errs); code != statusFailed || !strings.HasSuffix(errs.String(), "up to then, and out was not written\n") {
		t.Errorf("status %d: %s", code, &errs)
	}
	if after := contents(t); len(after) != 3 {
		t.Errorf("there are %v", after)
	}
}

func TestOutputKeepsPermissionsAndLinks(t *testing.T) {
	folder(t, "shop.dot")
	must.Do(t, os.WriteFile("secret.svg", []byte("before"), 0o600))
	must.Do(t, os.Chmod("secret.svg", 0o640))
	must.Do(t, os.Mkdir("links", 0o777))
	must.Do(t, os.Symlink("../secret.svg", "links/link.svg"))
	succeeds(t, "", "render", "shop.dot", "--output", "links/link.svg")
	info := must.Get(os.Lstat("secret.svg"))(t)
	link := must.Get(os.Lstat("links/link.svg"))(t)
	if info.Mode() != 0o640 || link.Mode()&os.ModeSymlink == 0 || !strings.Contains(contents(t)["secret.svg"], "<svg") {
		t.Errorf("the file is %v, the link %v", info.Mode(), link.Mode())
	}
	must.Do(t, os.WriteFile("usual", nil, 0o666))
	succeeds(t, "", "render", "shop.dot", "--output", "new.svg")
	usual := must.Get(os.Stat("usual"))(t)
	fresh := must.Get(os.Stat("new.svg"))(t)
	if usual.Mode() != fresh.Mode() {
		t.Errorf("a new file is %v, want %v", fresh.Mode(), usual.Mode())
	}
}

// TestMain lets the test program act as berth.
func TestMain(m *testing.M) {
	if os.Getenv("BERTH_IS_RUN") != "" {
		beTested()
		main()
	}
	os.Exit(m.Run())
}

// The system ends a program whose reader has gone, unless the program ends first.
func TestBrokenPipeLeavesTheOutput(t *testing.T) {
	folder(t, "simulate/four.csv", "simulate/hosts.csv")
	program := must.Get(os.Executable())(t)
	r, w, err := os.Pipe()
	must.Do(t, err)
	must.Do(t, r.Close())
	defer w.Close()
	var errs bytes.Buffer
	c := process.Command(program, strings.Fields("simulate --workload four.csv --hosts hosts.csv --requests out")...)
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), "BERTH_IS_RUN=1"), w, &errs
	c.Run()
	if code := c.ProcessState.ExitCode(); code != statusFailed || errs.Len() > 0 || len(contents(t)) != 2 {
		t.Errorf("%v, %s: there are %v", c.ProcessState, &errs, contents(t))
	}
}

// Devices and pipes are written directly.
func TestOutputToDevices(t *testing.T) {
	folder(t, "simulate/four.csv", "simulate/hosts.csv", "shop.dot")
	for _, line := range []string{"render shop.dot --output /dev/null", "simulate --workload four.csv --hosts hosts.csv --requests /dev/null"} {
		succeeds(t, "", strings.Fields(line)...)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
		t.Fatalf("/dev/null is %v now", info.Mode())
	}
	r, w, err := os.Pipe()
	must.Do(t, err)
	piped := make(chan string)
	go func() {
		data, _ := io.ReadAll(r)
		piped <- string(data)
	}()
	_, stderr, code := exec(t, "", "render", "shop.dot", "--output", "/dev/fd/"+ofFile(w))
	w.Close()
	if got := <-piped; code != statusPlaced || !strings.Contains(got, "<svg") {
		t.Errorf("status %d, %s: %q", code, stderr, got)
	}
}

// berth does not replace the file of standard output, but appends to it.
func TestOutputToTheFileOfStandardOutput(t *testing.T) {
	folder(t, "simulate/four.csv", "simulate/hosts.csv", "shop.dot")
	out := must.Get(os.Create("all"))(t)
	defer out.Close()
	out.WriteString("before\n")
	for _, name := range []string{"all", "-", "/dev/fd/" + ofFile(out)} {
		must.Do(t, berth(t.Context(), []string{"render", "shop.dot", "--output", name}, nil, out, io.Discard))
		err := berth(t.Context(), []string{"simulate", "--workload", "four.csv", "--hosts", "hosts.csv", "--requests", name}, nil, out, io.Discard)
		if status(err, io.Discard) != statusBadInput || !strings.Contains(err.Error(), "standard output is for the report") {
			t.Errorf("two outputs in one file: %v", err)
		}
	}
	if text := contents(t)["all"]; !strings.HasPrefix(text, "before\n<svg") || strings.Count(text, "</svg>") != 3 {
		t.Errorf("the file has %q", text)
	}
}

// A scenario may come from someone else, so it must not read standard input.
func TestScenarioReadsNoStandardInput(t *testing.T) {
	folder(t, "simulate/scenario.json", "simulate/hosts.csv", "simulate/overheads.csv")
	document := strings.Replace(contents(t)["scenario.json"], "four.csv", "-", 1)
	must.Do(t, os.WriteFile("scenario.json", []byte(document), 0o666))
	var in endless
	err := berth(t.Context(), []string{"run", "scenario.json"}, &in, io.Discard, io.Discard)
	if status(err, io.Discard) != statusBadInput || in.read > 0 || !strings.HasPrefix(err.Error(), `scenario.json: workload: the file "-" would be standard input`) {
		t.Errorf("%v; %d bytes were read", err, in.read)
	}
}

// A full disk is not reported as an error of the input.
func TestOutputThatCannotBeWritten(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	folder(t, "simulate/four.csv", "simulate/hosts.csv", "shop.dot")
	for _, line := range []string{"render shop.dot --output /dev/full", "simulate --workload four.csv --hosts hosts.csv --requests /dev/full"} {
		if _, stderr, code := exec(t, "", strings.Fields(line)...); code != statusFailed || stderr != "berth: /dev/full: no space left on device\n" {
			t.Errorf("berth %s: status %d, %s", line, code, stderr)
		}
	}
}

// Ids that a spreadsheet would read as formulas are escaped.
func TestRequestsAreNoFormulas(t *testing.T) {
	folder(t, "simulate/hosts.csv")
	must.Do(t, os.WriteFile("w.csv", []byte("id,submit_s,duration_s,cpu,memory,class\n=cmd(),0,1,1,1,gold\n-5,1,1,1,1,gold\n"), 0o666))
	succeeds(t, "", strings.Fields("simulate --workload w.csv --hosts hosts.csv --requests out")...)
	if text := contents(t)["out"]; !strings.Contains(text, "\nqos,'=cmd(),gold,") || !strings.Contains(text, "\nqos,-5,gold,") {
		t.Errorf("the list is\n%s", text)
	}
}

// ofFile returns the number of an open file.
func ofFile(file *os.File) string { return strconv.FormatUint(uint64(file.Fd()), 10) }
