package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"berth/engine/must"
)

func TestCompletions(t *testing.T) {
	for _, test := range []struct {
		line, want string // the offers, and the directive: 0 files, 4 no files, 16 folders
	}{
		{"pl", "place\tplace deployments on a federation :4"},
		{"place --stra", "--strategy\thow to search"},
		{"place --strategy f", "heuristic random first-fit"},
		{"render x.dot --format ", "svg png pdf :4"},
		{"generate ", "deployment\t"},
		{"place --federation ", ":0"},
		{"run ", ":0"},
		{"sweep --store ", ":16"},
		{"place --phi ", ":4"},
		{"worker ", ":4"},
	} {
		stdout, _, code := exec(t, "", append([]string{"__complete"}, strings.Split(test.line, " ")...)...)
		if got := strings.Join(strings.Split(strings.TrimSpace(stdout), "\n"), " "); code != statusPlaced || !strings.Contains(got, test.want) {
			t.Errorf("%q: status %d, %q; want %q", test.line, code, got, test.want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if stdout, _, code := exec(t, "", "completion", shell); code != statusPlaced || !strings.Contains(stdout, "berth") {
			t.Errorf("completion %s: status %d", shell, code)
		}
	}
}

func TestVersion(t *testing.T) {
	stdout, stderr, code := exec(t, "", "--version")
	if code != statusPlaced || stderr != "" || !strings.HasPrefix(stdout, "berth ") || !strings.Contains(stdout, ", commit ") {
		t.Errorf("status %d, %q, %q", code, stdout, stderr)
	}
}

// Before every flag of the command line had two dashes, package flag also accepted one.
func TestOneDashIsTakenToo(t *testing.T) {
	one, _, _ := exec(t, "", "generate", "federation", "-n_nodes", "3", "-seed=5")
	two, _, _ := exec(t, "", "generate", "federation", "--nodes", "3", "--seed=5")
	if one != two || one == "" {
		t.Errorf("with one dash\n%s\nwith two\n%s", one, two)
	}
}

// /dev/ptmx is one end of a terminal that needs no person.
func TestColoursAreForTerminals(t *testing.T) {
	if coloured(io.Discard) {
		t.Error("what is thrown away has colours")
	}
	file := must.Get(os.Create(t.TempDir() + "/file"))(t)
	defer file.Close()
	if coloured(file) {
		t.Error("a file has colours")
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there is no terminal to test with:", err)
	}
	defer terminal.Close()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if !coloured(terminal) || bold(terminal)("x") == "x" {
		t.Error("a terminal has no colours")
	}
	t.Setenv("NO_COLOR", "1")
	if coloured(terminal) || bold(terminal)("x") != "x" {
		t.Error("NO_COLOR is not heeded")
	}
}
