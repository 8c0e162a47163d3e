package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

func main() {
	file, err := cmp.Or(os.Getenv("BERTH_STEPS"), ".bin/steps.json"), error(nil)
	if len(os.Args) > 2 {
		err = keepStep(file, os.Args[1], os.Args[2:])
	} else {
		err = printTable(os.Stdout, file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

// A step is a command of the check that has run, with the times of its tests.
type step struct {
	Name    string
	Seconds float64
	Ran     int // packages whose tests ran
	Cached  int // packages with a cached pass
	Parts   []part
}

// A part is a unit whose time is measured: a test package, or a single end-to-end test.
type part struct {
	Name    string
	Seconds float64
}

// journeys is the package whose individual tests count as parts.
const journeys = "berth/web/e2e"

// keepStep runs a command and appends its times to a file.
func keepStep(file, name string, command []string) error {
	steps, err := readSteps(file)
	if err != nil {
		return err
	}
	s := step{Name: name}
	begin := time.Now()
	failed := s.run(command, os.Stdout)
	s.Seconds = time.Since(begin).Seconds()
	data, err := json.Marshal(append(steps, s))
	if err == nil {
		err = os.WriteFile(file, data, 0o644)
	}
	return errors.Join(failed, err)
}

func readSteps(file string) (steps []step, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return steps, json.Unmarshal(data, &steps)
}

// run runs the command. It runs go test with -json to follow the tests.
func (s *step) run(command []string, out io.Writer) error {
	tests := slices.Index(command, "test") + 1
	if tests > 0 {
		command = slices.Insert(slices.Clone(command), tests, "-json")
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	if tests == 0 {
		cmd.Stdout = out
		return cmd.Run()
	}
	events, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	return errors.Join(s.follow(events, out), cmd.Wait())
}

// An event is a line of go test -json; see go doc test2json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// follow prints the output of packages and of failed tests, and records the time of each part.
func (s *step) follow(events io.Reader, out io.Writer) error {
	held := map[[2]string]string{} // output of running tests, by package and test
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		var e event
		if json.Unmarshal([]byte(line), &e) != nil {
			fmt.Fprint(out, line) // output outside of any test, such as the output of a failed build
			continue
		}
		of := [2]string{e.Package, e.Test}
		switch {
		case e.Action == "output" && e.Test != "":
			held[of] += e.Output
		case e.Action == "output" || e.Action == "build-output":
			s.count(e.Output)
			if e.Output != "PASS\n" && !strings.HasPrefix(e.Output, "?   ") {
				fmt.Fprint(out, e.Output)
			}
		case e.Action == "fail":
			fmt.Fprint(out, held[of])
			fallthrough
		case e.Action == "pass" || e.Action == "skip":
			delete(held, of)
			s.note(e)
		}
	}
	for _, output := range held { // output of tests that were running when their program ended
		fmt.Fprint(out, output)
	}
	return nil
}

func (s *step) count(line string) {
	if strings.HasPrefix(line, "ok  ") {
		if strings.Contains(line, "(cached)") {
			s.Cached++
		} else {
			s.Ran++
		}
	}
}

func (s *step) note(e event) {
	switch {
	case e.Test == "" && e.Package != journeys:
		s.Parts = append(s.Parts, part{strings.TrimPrefix(e.Package, "berth/"), e.Elapsed})
	case e.Test != "" && e.Package == journeys && !strings.Contains(e.Test, "/"):
		s.Parts = append(s.Parts, part{e.Test, e.Elapsed})
	}
}

// printTable prints the steps in order and the slowest parts, and deletes the file.
func printTable(w io.Writer, file string) error {
	steps, err := readSteps(file)
	if err != nil || len(steps) == 0 {
		return err
	}
	total, slow := 0.0, []string(nil)
	var parts []part
	for _, s := range steps {
		packages := ""
		if s.Ran+s.Cached > 0 {
			packages = fmt.Sprintf("  %d packages, %d of them known to pass", s.Ran+s.Cached, s.Cached)
		}
		fmt.Fprintf(w, "%8.0f s  %s%s\n", s.Seconds, s.Name, packages)
		total += s.Seconds
		for _, p := range s.Parts {
			parts = append(parts, part{s.Name + ": " + p.Name, p.Seconds})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.Seconds, a.Seconds) })
	for _, p := range parts[:min(10, len(parts))] {
		slow = append(slow, fmt.Sprintf("%8.1f s  %s\n", p.Seconds, p.Name))
	}
	fmt.Fprintf(w, "%8.0f s  in all; the slowest packages and journeys:\n%s", total, strings.Join(slow, ""))
	return os.Remove(file)
}
