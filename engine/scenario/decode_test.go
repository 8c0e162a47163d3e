package scenario_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"berth/engine/input/workload"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

const minimal = `{
  "version": 1,
  "kind": "placement",
  "placement": {
    "federation": {"name": "f.dot", "dot": "graph {}"},
    "deployments": [{"name": "d.dot", "dot": "graph {}"}],
    "strategies": [{"name": "heuristic"}]
  }
}`

// change returns the minimal document with one piece of text replaced.
func change(t testing.TB, old, new string) string {
	t.Helper()
	if strings.Count(minimal, old) != 1 {
		t.Fatalf("%q does not occur exactly once in the document", old)
	}
	return strings.Replace(minimal, old, new, 1)
}

func TestDecodeNamesTheProblem(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"misspelt field", `"federation": {`, `"federaton": {`,
			"scenario:5:18: placement.federaton: unknown field; known: federation, deployments, strategies, phi, seed, budget, steps, joint, center, strict, consumeBandwidth, shortestPaths, federations, clusterBy, noInferred, inferredLatency, split, undirected, freePrices, inferred, rules, maxMoves, pareto, pools, whatIf, keep"},
		{"unknown strategy", `"heuristic"`, `"heurstic"`,
			`scenario:7:29: placement.strategies[0].name: unknown strategy "heurstic"; known: heuristic, random, first-fit, best-fit, cheapest, best, exact`},
		{"wrong type", `[{"name": "heuristic"}]`, `{"name": "heuristic"}`,
			"scenario:7:19: placement.strategies: found an object, expected an array"},
		{"string for number", `"strategies"`, `"phi": "0.1", "strategies"`,
			`scenario:7:12: placement.phi: found the string "0.1", expected a number`},
		{"fraction for whole", `"strategies"`, `"budget": 1.5, "strategies"`,
			"scenario:7:15: placement.budget: found the number 1.5, expected a whole number"},
		{"negative seed", `"strategies"`, `"seed": -1, "strategies"`,
			"scenario:7:13: placement.seed: found the number -1, expected a whole number from 0 to 2^64-1"},
		{"null", `"strategies"`, `"phi": null, "strategies"`,
			"scenario:7:12: placement.phi: found null, expected a number"},
		{"negative phi", `"strategies"`, `"phi": -0.5, "strategies"`,
			"scenario:7:12: placement.phi: found -0.5, expected a number from 0 to 1e+100"},
		{"huge phi", `"strategies"`, `"phi": 1e999, "strategies"`,
			"scenario:7:12: placement.phi: found the number 1e999, expected a number up to 1.8e308"},
		{"given twice", `"kind": "placement",`, `"kind": "placement", "kind": "placement",`,
			"scenario:3:32: kind: given twice"},
		{"no body", `"kind": "placement"`, `"kind": "federate"`,
			`scenario:1:1: federate: missing: a scenario of kind "federate" keeps its trace, data centre and schedulers in this field`},
		{"unknown kind", `"kind": "placement"`, `"kind": "sorting"`,
			`scenario:3:11: kind: unknown kind "sorting"; known: placement, qos, federate, fragment, experiment`},
		{"body of another kind", `"kind": "placement"`, `"kind": "qos"`,
			`scenario:1:1: qos: missing: a scenario of kind "qos" keeps its workload, hosts and policies in this field`},
		{"no version", `"version": 1,`, ``, "scenario:1:1: version: missing; this is version 1"},
		{"newer", `"version": 1`, `"version": 2`,
			"scenario:2:14: version: version 2 is newer than this Berth, which reads up to version 1; update Berth to open this document"},
		{"no such version", `"version": 1`, `"version": -4`,
			"scenario:2:14: version: there is no version -4; this is version 1"},
		{"no source", `"dot": "graph {}"},`, `"dot": ""},`,
			`scenario:5:19: placement.federation: needs the text of a graph in "dot" or a "recipe"`},
		{"both sources", `"d.dot", "dot"`, `"d.dot", "recipe": {"generator": "deployment"}, "dot"`,
			`scenario:6:21: placement.deployments[0]: has both "dot" and "recipe"; expected one of them`},
		{"wrong recipe", `"d.dot", "dot": "graph {}"`, `"d.dot", "recipe": {"generator": "federation"}`,
			`scenario:6:63: placement.deployments[0].recipe.generator: found "federation", expected "deployment"`},
		{"no deployments", `[{"name": "d.dot", "dot": "graph {}"}]`, `[]`,
			"scenario:6:20: placement.deployments: missing: expected at least one deployment"},
		{"too many seeds", `"heuristic"`, `"random", "seeds": 1001`,
			"scenario:7:48: placement.strategies[0].seeds: found 1001, expected 1 to 1000"},
		{"long name", `"kind"`, `"name": "` + strings.Repeat("é", scenario.MaxName+1) + `", "kind"`,
			"scenario:3:11: name: has 201 characters, at most 200"},
		{"syntax", `"kind": "placement",`, `"kind" "placement",`,
			`scenario:3:10: not JSON: '"' is out of place: check the quotes, commas and brackets before it`},
		{"cut off", "  }\n}", "", "scenario:7:42: not JSON: the text ends too early: save or copy the whole of it again"},
		{"text after the end", "  }\n}", "  }\n} x", "scenario:9:3: not JSON: 'x' is out of place: check the quotes, commas and brackets before it"},
		{"not UTF-8", `"f.dot"`, "\"f\xff.dot\"", "scenario:5:30: not UTF-8 text"},
		{"too deep", `"kind"`, `"x": ` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `, "kind"`,
			"scenario:3:24: x[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: nested more than 16 deep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := scenario.Decode([]byte(change(t, test.old, test.new)))
			var input *scenario.InputError
			if !errors.As(err, &input) {
				t.Fatalf("got %v, want an *InputError", err)
			}
			if first, _, _ := strings.Cut(err.Error(), "\n"); first != test.want {
				t.Errorf("got  %s\nwant %s", first, test.want)
			}
		})
	}
}

func TestDecodeReportsAllProblems(t *testing.T) {
	_, err := scenario.Decode([]byte(`{"version": 1, "kind": 3, "nme": "x", "placement": {"phi": "a", "strategies": 1}}`))
	for _, want := range []string{"kind: found", "nme: unknown", "placement.phi:", "placement.strategies:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %q", err, want)
		}
	}
}

func TestLocate(t *testing.T) {
	document := []byte(change(t, `{"name": "f.dot", "dot": "graph {}"}`, `{"name": "f.dot", "dot": "graph { c [cpu=1, cpu_cost=1]; }"}`))
	document = bytes.Replace(document, []byte(`{"name": "d.dot", "dot": "graph {}"}`), []byte(`{"name": "d", "recipe": {"generator": "deployment", "preset": "best", "seed": 1}}`), 1)
	s := must.Get(scenario.Decode(document))(t)
	_, err := scenario.Prepare(t.Context(), s, scenario.Env{})
	scenario.Locate(document, err)
	if err == nil || !strings.HasPrefix(err.Error(), `scenario:6:45: placement.deployments[0].recipe: preset: "best"`) {
		t.Errorf("got %v", err)
	}
}

func TestDecodeBoundsWhatItSays(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `"field%d": 1, `, i)
	}
	_, err := scenario.Decode([]byte(change(t, `"version"`, b.String()+`"version"`)))
	if lines := strings.Split(err.Error(), "\n"); len(lines) != scenario.MaxProblems+1 || !strings.Contains(lines[scenario.MaxProblems], "and 4980 more problems") {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestDecodeLimits(t *testing.T) {
	for _, test := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "the document is empty", nil},
		{"blank", "the document is empty", []byte(" \n")},
		{"bytes", "at most 67108864 (64 MiB)", make([]byte, scenario.MaxBytes+1)},
		{"values", "more than 200000 values", []byte("[" + strings.Repeat("[],", 200_000) + "[]]")},
		{"deployments", "placement.deployments: has 1001 entries, at most 1000",
			[]byte(change(t, `[{"name": "d.dot", "dot": "graph {}"}]`,
				"["+strings.Repeat(`{"name":"d","dot":"graph{}"},`, placementkind.MaxDeployments)+`{"name":"d","dot":"graph{}"}]`))},
	} {
		if _, err := scenario.Decode(test.data); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

func TestEncodeIsCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		s := randomScenario(r)
		encoded := scenario.Encode(s)
		decoded, err := scenario.Decode(encoded)
		if err != nil {
			t.Fatalf("%v\n%s", err, encoded)
		}
		if !reflect.DeepEqual(decoded, s) {
			t.Fatalf("got  %+v\nwant %+v", decoded, s)
		}
		if again := scenario.Encode(decoded); string(again) != string(encoded) {
			t.Fatalf("encoded again\n%s\nbefore\n%s", again, encoded)
		}
	}
}

func TestHash(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(minimal)))(t)
	h := s.Hash()
	if len(h) != 16 {
		t.Errorf("hash %q has not 16 digits", h)
	}
	s.Name = "renamed"
	if s.Hash() != h {
		t.Error("the name changes the hash")
	}
	for name, change := range map[string]func(p *placementkind.Document){
		"seed":           func(p *placementkind.Document) { p.Seed = 7 },
		"federation":     func(p *placementkind.Document) { p.Federation.Text += " " },
		"deployment":     func(p *placementkind.Document) { p.Deployments[0].Text += " " },
		"name of a file": func(p *placementkind.Document) { p.Deployments[0].Name = "e.dot" },
	} {
		other := must.Get(scenario.Decode([]byte(minimal)))(t)
		change(placementkind.Of(other))
		if other.Hash() == h {
			t.Errorf("the %s does not change the hash", name)
		}
	}
	if again, err := scenario.Decode([]byte(minimal)); err != nil || placementkind.Of(s).Federation != placementkind.Of(again).Federation {
		t.Error("hashing changes the scenario")
	}
}

func randomScenario(r *rand.Rand) scenario.Scenario {
	text := func() string {
		runes := []rune("graph {a--b[x=\"1\"]}\n\t\\<&>é\u2028漢😀")
		s := "g"
		for range r.IntN(40) {
			s += string(runes[r.IntN(len(runes))])
		}
		return s
	}
	source := func(generator string) placementkind.GraphSource {
		if r.IntN(2) == 0 {
			return placementkind.GraphSource{Name: text(), Text: text()}
		}
		return placementkind.GraphSource{Name: text(), Recipe: &workload.Recipe{
			Generator: generator, Preset: "thesis", Seed: r.Uint64(), Index: r.IntN(10),
			Parameters: map[string]float64{"n_nodes": float64(1 + r.IntN(500)), "min_request": r.Float64()},
		}}
	}
	p := placementkind.Document{
		Federation: source("federation"), Deployments: []placementkind.GraphSource{source("deployment")},
		Strategies: []placementkind.StrategyRun{{Name: "heuristic"}, {Name: "random", Seeds: r.IntN(placementkind.MaxSeeds + 1)}},
		Seed:       r.Uint64(), Budget: r.Int64N(placementkind.MaxBudget), Strict: r.IntN(2) == 0, ConsumeBandwidth: r.IntN(2) == 0,
	}
	if r.IntN(2) == 0 {
		phi := r.ExpFloat64()
		p.Phi, p.Center = &phi, text()
	}
	return placementkind.New(text(), p)
}
