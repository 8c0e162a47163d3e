package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/must"
)

// On a machine with only these programs, make lists the missing ones on one line.
func TestMakeSaysWhatIsMissing(t *testing.T) {
	for _, test := range []struct {
		have []string
		want string
	}{
		{nil, "Berth needs programs that are not installed: go (Go 1.26 or later: https://go.dev/dl), npm (with Node.js 20 or later: https://nodejs.org), git (https://git-scm.com)\n"},
		{[]string{"go", "git"}, "Berth needs programs that are not installed: npm (with Node.js 20 or later: https://nodejs.org)\n"},
	} {
		machine := t.TempDir()
		for _, program := range test.have {
			must.Do(t, os.WriteFile(filepath.Join(machine, program), []byte("#!/bin/sh\n"), 0o755))
		}
		for _, target := range []string{"run", "test"} {
			maker := exec.Command("make", target)
			maker.Dir, maker.Env = "../..", []string{"PATH=" + machine}
			var problems strings.Builder
			maker.Stderr = &problems
			said, err := maker.Output()
			if err == nil || string(said) != test.want {
				t.Errorf("make %s with %v says %q %q (%v), want %q", target, test.have, said, problems.String(), err, test.want)
			}
		}
	}
}
