package main

import (
	"fmt"
	"io"
	"strings"
	"testing"

	flag "github.com/spf13/pflag"

	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

// A registered kind can be run and linked, although this package does not mention it.
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
	complains(t, strings.Replace(document, "3}", "0}", 1), "<stdin>:1:68: dice.throws: found 0, expected a number from 1 to 100", "run", "-")
}

// The fields of a kind are flags with the right types.
func TestFieldsOfAnotherKindAreFlags(t *testing.T) {
	for _, c := range []struct{ args, want, err string }{
		{"", "{0 false white}", ""},
		{"--throws 7 --loaded --die-colour black", "{7 true black}", ""},
		{"--throws 0", "", "expected a whole number from 1 to 100"},
		{"--loaded=maybe", "", "expected true or false"},
		{"--die-colour red", "", `expected one of white, black, not "red"`},
	} {
		f, d := flag.NewFlagSet("", flag.ContinueOnError), scenariotest.Throws{}
		f.SetOutput(io.Discard)
		parameterFlags(f, &d, scenariotest.Fields, (*parameter.Parameter).ParseBounded)
		err := f.Parse(strings.Fields(c.args))
		if got := fmt.Sprint(d); c.err == "" && (err != nil || got != c.want) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %s, %v; want %s, %s", c.args, got, err, c.want, c.err)
		}
		if usage := f.FlagUsages(); !strings.Contains(usage, "--die-colour NAME   colour of the die: white, black (default white)") || !strings.Contains(usage, "--loaded            throw a loaded die") {
			t.Errorf("the help is\n%s", usage)
		}
	}
}
