package lab

import (
	"encoding/json"
	"strings"
	"testing"

	"berth/engine/scenario"
)

func TestLengthOfALink(t *testing.T) {
	for n, want := range map[int]string{408: "fits everywhere", 2001: "Some chat programs", 8000: "Some chat programs", 8001: "send the file"} {
		if got := lengthText(n); !strings.Contains(got, want) {
			t.Errorf("a link of %d: %q, want %q in it", n, got, want)
		}
	}
}

func TestFileName(t *testing.T) {
	if got := fileName("", "abc", ".svg"); got != "berth-abc.svg" {
		t.Errorf("a scenario without a name: %s", got)
	}
	if got := fileName("a/b: c?", "abc", ".json"); got != "a-b- c-.json" {
		t.Errorf("characters that a file may not have: %s", got)
	}
}

func TestAbridged(t *testing.T) {
	if got := abridged("a\nb\nc"); got != "a\nb\nc" {
		t.Errorf("three lines became %q", got)
	}
	if got := abridged("a\nb\nc\nd\ne"); got != "a\nb\nc\nand 2 more" {
		t.Errorf("five lines became %q", got)
	}
}

func TestDraft(t *testing.T) {
	s := exampleList()[0].Scenario
	data, err := json.Marshal(draft{Unsaved: true, Scenario: &s})
	if err != nil {
		t.Fatal(err)
	}
	if d := readDraft(string(data), s.Kind); !d.Unsaved || d.Scenario.Hash() != s.Hash() {
		t.Error("a draft does not come back as it was")
	}
	if d := readDraft(string(data), scenario.KindQoS); d.Scenario != nil {
		t.Error("the draft of another kind was read")
	}
	for _, text := range []string{"", "{", "null", `{"scenario": {"version": 1, "kind": "qos"}}`, `{"scenario": {"kind": "placement"}}`, `{"scenario": {"kind": "placement", "placement": null}}`} {
		if d := readDraft(text, scenario.KindPlacement); d.Scenario != nil {
			t.Errorf("%q was read as a draft", text)
		}
	}
}

func TestIsLink(t *testing.T) {
	for fragment, want := range map[string]bool{
		"#s=1.rJb": true, "#1.rJb": true, "#99.abc": true, "#s=": true, "": false, "#main": false, "#1": false, "#v1.rJb": false,
	} {
		if got := isLink(fragment); got != want {
			t.Errorf("isLink(%q) is %t, want %t", fragment, got, want)
		}
	}
}

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.5: "0.5", 0.00001: "0.00001", 1e6: "1000000", 0.0003 / 1e-3: "0.3", 50e-9 / 1e-9: "50"} {
		if got := Figure(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}
