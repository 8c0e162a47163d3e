package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	flag "github.com/spf13/pflag"

	"berth/engine/fault"
	"berth/engine/must"
	"berth/engine/runs"
	"berth/engine/study"
)

// inject adds a command that panics after it has written some output.
func inject(t *testing.T) {
	t.Helper()
	before := commands
	t.Cleanup(func() { commands = before })
	commands = append(slices.Clone(commands), &command{name: "panics", summary: "panic", setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		c.writes(f, "output", "write to `FILE`")
		return func(args []string) error {
			if _, err := c.outputs[0].Write([]byte("a half")); err != nil {
				return err
			}
			var none []int
			return c.write([]byte{byte(none[len(args)])})
		}
	}})
}

func TestAPanicEndsTheCommandInOneLine(t *testing.T) {
	inject(t)
	file := must.File(t, "out.txt", "as it was")
	run := func() string {
		var out, errs bytes.Buffer
		err := fault.Guard(func() error {
			return berth(t.Context(), []string{"panics", "--output", file}, strings.NewReader(""), &out, &errs)
		})
		if code := status(err, &errs); code != statusFailed || out.Len() > 0 {
			t.Errorf("status %d, and %q on standard output", code, &out)
		}
		return errs.String()
	}
	t.Setenv("BERTH_DEBUG", "")
	said := run()
	if strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "berth: a fault in Berth stopped the command: runtime error: index out of range") || !strings.Contains(said, "BERTH_DEBUG=1") {
		t.Errorf("said %q", said)
	}
	t.Setenv("BERTH_DEBUG", "1")
	if traced := run(); !strings.HasPrefix(traced, said) || !strings.Contains(traced, "fault_test.go") {
		t.Errorf("with BERTH_DEBUG=1 said %q", traced)
	}
	if left, err := os.ReadFile(file); err != nil || string(left) != "as it was" {
		t.Errorf("the file has %q, %v", left, err)
	}
	if beside, err := os.ReadDir(filepath.Dir(file)); err != nil || len(beside) != 1 {
		t.Errorf("left beside the file: %v, %v", beside, err)
	}
}

// A panic in a goroutine of a sweep ends the command like a panic elsewhere.
func TestAPanicOfAWorkerEndsTheSweep(t *testing.T) {
	c := &call{Context: t.Context(), out: &bytes.Buffer{}, errs: &bytes.Buffer{}}
	base := must.Get(c.scenario("testdata/scenario.json"))(t)
	plan := must.Get(study.NewPlan(&study.Document{Base: base.Scenario}))(t)
	// Without flags, asking for the memory of a run panics.
	s := &swept{call: c, document: base, plan: plan, sheet: plan.NewSheet(), jobs: 1}
	err := s.sheet.Carry(c, nil, runs.AtOnce(1, s.carry), nil)
	var f *fault.Fault
	if !errors.As(err, &f) || status(err, &bytes.Buffer{}) != statusFailed {
		t.Errorf("got %v, expected a fault", err)
	}
}

// An invented report is refused with the position, and so is an invented record.
func TestForeignReportsAndRecordsAreRefused(t *testing.T) {
	file := "testdata/half-report.json"
	if _, said, code := exec(t, "", "diff", file, file); code != statusBadInput || !strings.HasPrefix(said, file+":1:") || !strings.Contains(said, "placement.deployments: missing") {
		t.Errorf("diff: status %d, %s", code, said)
	}
	record := must.File(t, "record.json", `[{"figure": "megha-3"}]`)
	complains(t, "", record+":1:2: [0].experiment: missing", "gallery", "--full", "--figure", "megha-3", "--record", record)
}
