package kept

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/drawn"
	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/study"
)

// commit is the program that wrote the files of this package.
const commit = "e7f9554c"

// earlier builds the command line of that commit from the history of this repository.
func earlier(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	program := filepath.Join(folder, "berth")
	build := exec.Command("sh", "-ec", `git archive "$1" | tar -x -C "$2" && cd "$2" && go build -o "$3" ./engine/cmd/berth`, "sh", commit, folder, program)
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the command line of %s, which needs the whole history (git fetch --unshallow): %v\n%s", commit, err, out)
	}
	return program
}

// Documents that no file has give the same numbers as with the earlier program.
func TestFreshDocumentsHaveTheirNumbers(t *testing.T) {
	golden.Long(t)
	program, from := earlier(t), golden.Fresh()
	for name, draw := range map[string]func(uint64) scenario.Scenario{"placement": drawn.Placement, "qos": drawn.QoS, "federate": drawn.Federate} {
		t.Run(name, func(t *testing.T) {
			compared := 0
			for seed := from; seed < from+fresh; seed++ {
				s := draw(seed)
				if changed(s) {
					continue
				}
				if differences := compareWith(t, program, s); len(differences) > 0 {
					t.Errorf("seed %d: %s", seed, strings.Join(differences, "; "))
				}
				compared++
			}
			if compared < fresh/5 {
				t.Errorf("%d documents were compared", compared)
			}
		})
	}
}

// fresh is the number of documents drawn for each laboratory.
const fresh = 100

// changed reports whether a document's numbers were changed on purpose since then: the searches for
// better placements, and delays of jobs on workers of different speeds.
func changed(s scenario.Scenario) bool {
	if d := placementkind.Of(s); d != nil {
		return slices.ContainsFunc(d.Strategies, func(r placementkind.StrategyRun) bool {
			p, _ := placement.Lookup(r.Name)
			return p.Facts.Improves
		})
	}
	if d := federatekind.Of(s); d != nil {
		return d.Machines != nil || slices.ContainsFunc(d.Classes, func(c federatekind.MachineClass) bool { return c.Speed != nil })
	}
	return false
}

// compareWith runs a document with the earlier program and this one, and returns the numbers that
// differ.
func compareWith(t *testing.T, program string, s scenario.Scenario) (differences []string) {
	file := filepath.Join(t.TempDir(), "scenario.json")
	must.Do(t, os.WriteFile(file, scenario.Encode(s), 0o666))
	old, _ := exec.Command(program, "run", file).Output() // if this program cannot run it, neither can the earlier one
	report, err := scenario.Run(t.Context(), study.Expand(s), scenario.Env{})
	if err != nil || len(old) == 0 {
		if (err != nil) != (len(old) == 0) {
			differences = append(differences, fmt.Sprintf("the earlier program writes %d bytes, this one says %v", len(old), err))
		}
		return differences
	}
	was, is := numbers(t, old), numbers(t, scenario.EncodeReport(report))
	for _, path := range slices.Sorted(maps.Keys(was)) {
		if was[path] != is[path] {
			differences = append(differences, fmt.Sprintf("%s was %s, is %s", path, was[path], is[path]))
		}
	}
	return differences
}

// numbers returns the numbers of a report by path.
func numbers(t *testing.T, report []byte) map[string]string {
	var tree any
	decoder := json.NewDecoder(strings.NewReader(string(report)))
	decoder.UseNumber()
	must.Do(t, decoder.Decode(&tree))
	found := map[string]string{}
	var walk func(at string, value any)
	walk = func(at string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, v := range value {
				walk(at+"."+key, v)
			}
		case []any:
			for i, v := range value {
				walk(fmt.Sprintf("%s[%d]", at, i), v)
			}
		case json.Number:
			found[at] = value.String()
		}
	}
	walk("", tree)
	return found
}
