package handler_test

import (
	"errors"
	"strings"
	"testing"

	"berth/engine/dot"
	_ "berth/engine/kinds"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// aliases returns a YAML text whose aliases expand to 30³ values in each document.
func aliases(documents int) string {
	list := func(of string) string { return "[" + strings.Repeat(of+",", 29) + of + "]" }
	one := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\na: &a " + list("x") + "\nb: &b " + list("*a") + "\nc: " + list("*b") + "\n---\n"
	return strings.Repeat(one, documents)
}

// The engine refuses any of the texts with a message, and continues with the next.
func TestTheEngineGoesOnAfterWhatItRefuses(t *testing.T) {
	pool := pool(&clock{})
	place := func(federation, deployment string) error {
		_, err := pool.Run(t.Context(), bridge.Input{Scenario: placed(federation, deployment, placementkind.StrategyRun{Name: "heuristic"})}, nil)
		return err
	}
	for name, text := range map[string]string{
		"aliases":       aliases(60),
		"brackets":      "apiVersion: v1\nkind: Pod\na: " + strings.Repeat("[", 100_000),
		"sequences":     "apiVersion: v1\nkind: Pod\na: " + strings.Repeat("- ", 100_000),
		"JSON":          `{"apiVersion": "v1", "kind": "Pod", "a": ` + strings.Repeat("[", 100_000),
		"an own alias":  "apiVersion: v1\nkind: Pod\na: &a [*a]",
		"merge keys":    "apiVersion: v1\nkind: Pod\nmetadata: &a {<<: *a}",
		"subgraphs":     "graph " + strings.Repeat("{", 100_000),
		"lists of GML":  "graph [" + strings.Repeat(" a [", 100_000),
		"XML":           "<graphml>" + strings.Repeat("<a>", 100_000),
		"no text":       "\x00\xff",
		"half a graph":  deployment[:30],
		"a zip archive": "PK\x03\x04",
	} {
		for role, texts := range map[string][2]string{"federation": {text, deployment}, "deployment": {federation, text}} {
			err := place(texts[0], texts[1])
			if e, ok := errors.AsType[*bridge.Error](err); !ok || e.Kind == bridge.Fault || e.Message == "" {
				t.Errorf("%s as a %s: %v", name, role, err)
			}
			if err := place(federation, deployment); err != nil {
				t.Fatalf("after %s as a %s the engine does not go on: %v", name, role, err)
			}
		}
		query := []placementkind.CheckQuery{{Source: scenario.Source{Name: "d"}, Role: dot.Unknown}}
		beside := map[string]bridge.Blob{placementkind.TextFile(0): bridge.NewBlob([]byte(text))}
		if _, err := bridge.AskTool(t.Context(), pool, placementkind.CheckQuestion, query, beside); err != nil {
			if e, ok := errors.AsType[*bridge.Error](err); !ok || e.Kind == bridge.Fault {
				t.Errorf("a look at %s: %v", name, err)
			}
		}
	}
}
