package main

import (
	"strings"
	"testing"

	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

// A kind that is registered is run and linked without a word about it here.
func TestAnotherKindIsRunAndLinked(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	const document = `{"version": 1, "kind": "dice", "name": "three", "dice": {"throws": 3}}`
	stdout, stderr, code := exec(t, document, "run", "-")
	if code != statusPlaced || !strings.Contains(stdout, "\"dice\": {\n    \"sum\": 9\n  }") {
		t.Errorf("status %d: %s%s", code, stdout, stderr)
	}
	if stdout, _, code := exec(t, document, "run", "-", "--format", "text"); code != statusPlaced || !strings.HasPrefix(stdout, "three\n\nthe sum is 9\n\nsum 9\n") {
		t.Errorf("status %d: %s", code, stdout)
	}
	link, _, _ := exec(t, document, "link", "-")
	again, stderr, code := exec(t, "", "link", "--decode", strings.TrimSpace(link))
	if s, err := scenario.Decode([]byte(document)); err != nil || code != statusPlaced || again != string(scenario.Encode(s)) {
		t.Errorf("status %d, %v: %s%s", code, err, again, stderr)
	}
	_, stderr, code = exec(t, strings.Replace(document, "3}", "0}", 1), "run", "-")
	if code != statusBadInput || !strings.Contains(stderr, "<stdin>:1:68: dice.throws: found 0, expected a number from 1 to 100") {
		t.Errorf("status %d: %s", code, stderr)
	}
}
