package study_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

func planFrom(t testing.TB, text string) *study.Plan {
	t.Helper()
	s := must.Get(scenario.Decode([]byte(text)))(t)
	return must.Get(study.NewPlan(study.Of(s)))(t)
}

// Runs of any plans have equal keys exactly if their scenarios have equal hashes, so plans share
// their common runs.
func TestKeysAreEqualWhereScenariosAre(t *testing.T) {
	const list = `"list": [1, 2, 3]`
	long := strings.Repeat("a long name ", 15)
	hashes, keys := map[string]string{}, map[string]string{} // each maps to the other
	runs := 0
	for _, text := range []string{
		document(both, `"seeds": 3`),
		strings.Replace(document(both, `"seeds": 2`), `"kind": "toy"`, `"name": "base", "kind": "toy"`, 1),
		document(both, `"factors": [{"name": "a", "path": "/toy/plus", "levels": [1, 2]}, {"name": "b", "path": "/toy/noise", "levels": [2, 1]}], "seeds": 2`),
		document(both, `"factors": [{"name": "b", "path": "/toy/noise", "levels": [1, 2]}, {"name": "a", "levels": [
			{"label": "two", "patch": {"toy": {"plus": 2}}}, {"label": "one", "patch": {"toy": {"plus": 1, "of": {"ann": 3}}}}]}]`),
		document(both+`, "plus": 2`, `"factors": [{"name": "a", "path": "/toy/plus", "levels": [2, null, 3]}]`),
		document(both, `"factors": [{"name": "a", "path": "/toy/of", "levels": [{"label": "ann", "value": {"ann": 3}}, {"label": "both", "value": {"bob": 5, "ann": 3}}]}]`),
		document(both+`, `+list, `"factors": [{"name": "a", "path": "/toy/list/1", "levels": [2, 3, 12]}, {"name": "b", "path": "/toy/list/2", "levels": [3, 2]}]`),
		document(both, `"factors": [{"name": "a", "levels": [{"label": "bob", "patch": {"toy": {"of": {"bob": null}}}}, {"label": "x", "patch": {"toy": {"of": {"`+long+`": 1}}}}]}]`),
	} {
		plan := planFrom(t, text)
		for i := range plan.Runs() {
			key, err := plan.Key(i)
			run := plan.Run(i)
			if err != nil || run.Err != nil {
				t.Fatal(err, run.Err)
			}
			travels(t, plan, i)
			hash := fmt.Sprint(run.Scenario.Reseed(^uint64(run.Seed)+1).Hash(), " +", run.Seed)
			if other, ok := keys[hash]; ok && other != key {
				t.Errorf("%s: %s, and %s of another plan", scenario.Encode(run.Scenario), key, other)
			}
			if other, ok := hashes[key]; ok && other != hash {
				t.Errorf("%s: %s is also the key of %s", scenario.Encode(run.Scenario), key, other)
			}
			keys[hash], hashes[key] = key, hash
			runs++
		}
	}
	if len(keys) != 20 || runs != 30 {
		t.Errorf("%d keys of %d runs", len(keys), runs)
	}
}

// travels checks that a run is the same on another machine and has the same key.
func travels(t *testing.T, plan *study.Plan, i int) {
	t.Helper()
	inputs := must.Get(plan.Inputs(study.Job{Run: i, Scenario: plan.Run(i).Scenario}))(t)
	message := must.Get(json.Marshal(inputs))(t)
	var there study.Inputs
	must.Do(t, json.Unmarshal(message, &there))
	s, key, err := there.Open()
	here, _ := plan.Key(i)
	run := plan.Run(i).Scenario
	if s.Name != "" || err != nil || key != here || s.Hash() != run.Hash() {
		t.Errorf("%v: %s is %s and has key %s, not %s", err, scenario.Encode(run), scenario.Encode(s), key, here)
	}
	there.Seed++
	if _, other, err := there.Open(); err != nil || other == here {
		t.Errorf("%v: the key of another seed is %s too", err, other)
	}
}

// Digests of files are part of keys.
func TestKeysHaveTheFiles(t *testing.T) {
	plan := planFrom(t, document(both, `"seeds": 2`))
	asked := 0
	if err := plan.Attach(func(scenario.Scenario) error { asked++; return nil }); err != nil || asked != 1 {
		t.Errorf("%v: %d cells were asked", err, asked)
	}
	if err := planFrom(t, document(both, `"seeds": 2`)).Attach(func(scenario.Scenario) error { return errNoRoom }); err != errNoRoom {
		t.Errorf("got %v", err)
	}
}
