package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
)

// wall matches the measured times of a simulation.
var wall = regexp.MustCompile(`(?m)"seconds": [\d.e-]+|[\d.]+ s$`)

// The golden files are like those of TestCommands.
func TestSimulate(t *testing.T) {
	t.Chdir("testdata/simulate")
	for name, lines := range map[string][]string{
		"small": {
			"simulate --workload four.csv --hosts hosts.csv --overheads overheads.csv --policy qos --policy priority --format text",
			"simulate --workload four.csv --hosts hosts.csv --classes classes.json --host-events events.csv --horizon 100s",
			"simulate --workload terms.erl.txt --hosts hosts.erl.txt --overheads-hot overheads.csv --overheads-cold overheads.csv --preset paper --scheduler literal --policy hybrid",
		},
		"never": {"simulate --workload huge.csv --hosts hosts.csv --horizon 20s --format text"},
		"scenario": {
			"run scenario.json --format text", "run hopeless.json --format text", "link scenario.json", "run elsewhere.json", "run missing.json",
		},
		"controllers": {
			"simulate --controllers controllers.json --hosts hosts.csv --overheads overheads.csv --policy priority --horizon 100s",
			"simulate --workload four.csv --controllers controllers.json --hosts hosts.csv --policy qos --policy priority --horizon 100s --format text",
			"simulate --controllers controllers.json --hosts hosts.csv",
			"simulate --controllers wrong-controllers.json --hosts hosts.csv --horizon 100s",
			"simulate --controllers classes.json --hosts hosts.csv --horizon 100s",
			"simulate --controllers hosts.csv --hosts hosts.csv --horizon 100s",
		},
		"sift": {
			"simulate --workload users.csv --hosts hosts.csv --admission 0.9 --format text",
			"simulate --workload users.csv --hosts hosts.csv --admission 0.5 --admission-at-start 0.4 --format text",
			"simulate --workload users.csv --hosts hosts.csv --sample 0.5 --sample-groups 2 --sample-seed 3 --format text",
			"simulate --workload users.csv --hosts hosts.csv --sample 0.1 --admission 1 --format text",
			"simulate --workload own-users.csv --hosts hosts.csv --sample 0.5 --sample-groups 1 --format text",
			"simulate --workload users.csv --hosts hosts.csv --admission 0.01 --admission-at-start 0.01",
			"simulate --workload four.csv --hosts hosts.csv --sample 0.5",
			"simulate --workload users.csv --hosts hosts.csv --admission 2",
			"simulate --workload users.csv --hosts hosts.csv --admission 0.2",
			"simulate --workload users.csv --hosts hosts.csv --admission 0.5 --admission-at-start 0.6",
			"simulate --workload users.csv --hosts hosts.csv --admission-at-start 0.6",
			"simulate --workload users.csv --hosts hosts.csv --sample 0",
			"simulate --workload users.csv --hosts hosts.csv --sample-groups 3",
			"simulate --workload users.csv --hosts hosts.csv --sample 1 --sample-groups 51",
			"simulate --controllers controllers.json --hosts hosts.csv --horizon 100s --sample 0.5",
			"simulate --controllers controllers.json --hosts hosts.csv --horizon 100s --admission 0.9",
		},
		"savings": {
			"simulate --workload users.csv --hosts hosts.csv --scheduler literal --policy qos --policy priority --format text",
			"simulate --workload users.csv --hosts hosts.csv --equivalence-class --policy qos --policy priority --format text",
			"simulate --workload users.csv --hosts hosts.csv --pruning safe --policy qos --policy priority --format text",
			"simulate --workload users.csv --hosts hosts.csv --score-caching --equivalence-class --relaxed 0.5 --policy priority --format text",
			"simulate --workload users.csv --hosts hosts.csv --score-caching --cache-validity 5s --equivalence-class --q-tolerance 1s --relaxed 0.5 --pruning printed --format text",
			"simulate --workload users.csv --hosts hosts.csv --score-caching",
			"simulate --workload users.csv --hosts hosts.csv --score-caching --policy priority --policy hybrid",
			"simulate --workload users.csv --hosts hosts.csv --cache-validity 5s",
			"simulate --workload users.csv --hosts hosts.csv --score-caching --cache-validity 0s",
			"simulate --workload users.csv --hosts hosts.csv --q-tolerance 1s",
			"simulate --workload users.csv --hosts hosts.csv --equivalence-class --q-tolerance soon",
			"simulate --workload users.csv --hosts hosts.csv --relaxed 5",
			"simulate --workload users.csv --hosts hosts.csv --relaxed 0",
			"simulate --workload users.csv --hosts hosts.csv --pruning hard",
		},
		"doubtful":   {"simulate --workload broker.csv --hosts hosts.csv --host-events resized.csv --format text"},
		"unordered":  {"simulate --workload unordered.csv --hosts hosts.csv --format text"},
		"wrong-use":  {"simulate", "simulate --workload four.csv", "simulate --workload four.csv --hosts hosts.csv --policy best", "simulate --workload four.csv --hosts hosts.csv --alpha soon", "simulate --workload four.csv --hosts hosts.csv --horizon -1s", "simulate --workload four.csv --hosts hosts.csv --horizon 10us", "simulate --workload four.csv --hosts hosts.csv --margin 30", "simulate --workload four.csv --hosts hosts.csv --requests -", "simulate --workload four.csv --hosts hosts.csv --overheads-hot overheads.csv", "simulate --workload four.csv --hosts hosts.csv --watchdog 0s", "simulate --workload four.csv --hosts hosts.csv --policy qos --policy qos", "simulate --workload four.csv --hosts hosts.csv --policy hybrid --hybrid-limit 0"},
		"wrong-file": {"simulate --workload missing.csv --hosts hosts.csv", "simulate --workload four.csv --hosts four.csv", "simulate --workload bad.csv --hosts hosts.csv", "simulate --workload platinum.csv --hosts hosts.csv", "simulate --workload four.csv --hosts hosts.csv --overheads none.csv", "simulate --workload four.csv --hosts hosts.csv --host-events gone.csv", "simulate --workload operator.erl.txt --hosts hosts.csv", "simulate --workload four.csv --hosts hosts.csv --classes hosts.csv"},
	} {
		golden.Check(t, name+".txt", transcript(t, lines, wall))
	}
}

func TestSimulateWritesRequests(t *testing.T) {
	out := filepath.Join(t.TempDir(), "requests.csv")
	t.Chdir("testdata/simulate")
	workload := must.Get(os.ReadFile("four.csv"))(t)
	stdout, stderr, code := exec(t, string(workload), "simulate", "--workload", "-", "--hosts", "hosts.csv", "--policy", "qos", "--policy", "priority", "--requests", out)
	if code != 0 {
		t.Fatalf("status %d: %s", code, stderr)
	}
	var report struct {
		Policies []struct {
			Name     string
			Requests int
		}
	}
	must.Do(t, json.Unmarshal([]byte(stdout), &report))
	lines := must.Get(os.ReadFile(out))(t)
	golden.Check(t, "requests.csv.txt", string(lines))
	if len(report.Policies) != 2 || report.Policies[1].Name != "priority" || report.Policies[0].Requests != 4 {
		t.Errorf("got %+v", report.Policies)
	}
}
