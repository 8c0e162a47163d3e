package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/show"
)

// steering is a long name that would move the cursor of a terminal and reverse a line.
var steering = "\x1b[2J\u009b1A\u202e\u2028\x7f\r" + strings.Repeat("x", 5000)

// Whatever the names in a file are, a terminal gets plain lines of limited length.
func TestForeignNamesAreShownPlainly(t *testing.T) {
	t.Chdir(t.TempDir())
	name := func(length int) string {
		quoted := must.Get(json.Marshal(steering[:length]))(t)
		return string(quoted)
	}
	long, short := name(len(steering)), name(100)
	graphs := func(label, federation, deployment string) string {
		return `{"version": 1, "kind": "placement", "name": ` + label + `, "placement": {
			"federation": {"name": ` + federation + `, "dot": "graph { c [capacity=1, cost=1] }"},
			"deployments": [{"name": ` + deployment + `, "dot": "graph { a [request=1]; b [request=2] }"}], "strategies": [{"name": "heuristic"}]}}`
	}
	requests := func(class, policy, controller, workload string) string {
		return `{"version": 1, "kind": "qos", "qos": {"workload": ` + workload + `, "hosts": {"name": "h.csv", "text": "name,cpu,memory\nh,2,2\n"},
			"classes": [{"name": ` + class + `, "slo": 0.9}], "policies": [{"name": "qos", "label": ` + policy + `}], "horizon": 60,
			"controllers": [{"name": ` + controller + `, "kind": "deployment", "class": ` + class + `, "replicas": 1, "cpu": 1, "memory": 1}]}}`
	}
	jobs := func(file, text string) string {
		return `{"version": 1, "kind": "federate", "federate": {"trace": {"name": ` + file + `, "text": ` + text + `}, "workers": 1, "gms": 1, "lms": 1, "schedulers": ["megha"]}}`
	}
	none := `{"name": "w.csv", "text": "id,submit_s,duration_s,cpu,memory,class\n1,0,1,1,1,x\n"}`
	for i, document := range []string{
		graphs(short, short, short), graphs(long, `"f"`, `"d"`), graphs(`"n"`, long, long),
		requests(short, short, short, none), requests(short, short, short, `{"name": `+short+`}`),
		requests(long, `"p"`, `"c"`, none), requests(`"a"`, long, `"c"`, none), requests(`"a"`, `"p"`, long, none),
		requests(`"a"`, `"p"`, `"c"`, `{"name": `+long+`}`), requests(`"a"`, `"p"`, `"c"`, `{"name": `+name(4000)+`, "text": "nothing"}`),
		requests(`"a"`, `"p"`, `"c"`, `{"name": "r", "recipe": {"generator": `+long+`, "preset": "x", "seed": 1}}`),
		requests(`"a"`, `"p"`, `"c"`, `{"name": "r", "recipe": {"generator": "requests", "preset": `+long+`, "seed": 1}}`),
		requests(`"a"`, `"p"`, `"c"`, `{"name": "r", "recipe": {"generator": "requests", "preset": "thesis", "seed": 1, "parameters": {`+short+`: 1}}}`),
		jobs(name(4000), `"1 x"`), jobs(`"t.tr"`, long), jobs(`"t.csv"`, `"arrival,duration,x`+long[1:]),
		jobs(`"t.tr"`, `"1 1 2 2"`),
		`{"version": 1, "kind": ` + long + `}`, `{"version": 1, ` + long + `: 2}`, `{"version": 1, ` + short + `: {` + short + `: [1]}}`,
		`{"version": ` + long + `, "kind": "qos"}`, `{"version": 1, "qos": {` + short + `: 1, ` + short + `: 2}}`,
	} {
		must.Do(t, os.WriteFile("s.json", []byte(document), 0o600))
		for _, format := range []string{"text", "json"} {
			stdout, stderr, code := exec(t, "", "run", "--format", format, "s.json")
			if shown := show.Lines(stdout + stderr); shown != stdout+stderr {
				t.Errorf("%d, as %s: the terminal gets\n%s", i, format, shown)
			}
			for line := range strings.Lines(stderr) {
				if len(line) > 2000 {
					t.Errorf("%d, as %s: a message of %d bytes: %s", i, format, len(line), line)
				}
			}
			if code == statusFailed {
				t.Errorf("%d: %s", i, stderr)
			}
		}
	}
	s := must.Get(scenario.Decode([]byte(graphs(short, short, short))))(t)
	link := must.Get(scenario.EncodeLink(s))(t)
	stdout, stderr, code := exec(t, "", "link", "--decode", link)
	if code != statusPlaced || show.Lines(stdout) != stdout {
		t.Errorf("status %d, %s, %q", code, stderr, stdout)
	}
}
