package lab

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
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
	if d := readDraft(string(data), qoskind.Name); d.Scenario != nil {
		t.Error("the draft of another kind was read")
	}
	for _, text := range []string{"", "{", "null", `{"scenario": {"version": 1, "kind": "qos"}}`, `{"scenario": {"kind": "placement"}}`, `{"scenario": {"kind": "placement", "placement": null}}`} {
		if d := readDraft(text, placementkind.Name); d.Scenario != nil {
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

func TestNumbersOfFieldsAreBounded(t *testing.T) {
	number := func(high float64) func(string) error {
		return func(text string) error { _, err := ParseNumber(text, 0.5, high); return err }
	}
	whole := func(high int) func(string) error {
		return func(text string) error { _, err := ParseWhole(text, 1, high); return err }
	}
	seed := func(text string) error { return SetSeed(new(uint64), text) }
	for _, c := range []struct {
		read func(string) error
		text string
		want string // "" for a text that is taken
	}{
		{number(2), " 2 ", ""},
		{number(2), "2.1", `"2.1" is not a number from 0.5 to 2`},
		{number(2), "NaN", `"NaN" is not a number from 0.5 to 2`},
		{number(34359738), "-1", `"-1" is not a number from 0.5 to 34359738`},
		{number(math.MaxFloat64), "1e300", ""},
		{number(math.MaxFloat64), "Inf", `"Inf" is not a number of 0.5 or more`},
		{whole(3), "3", ""},
		{whole(3), "1.5", `"1.5" is not a whole number from 1 to 3`},
		{whole(math.MaxInt), "0", `"0" is not a whole number from 1`},
		{seed, "18446744073709551615", ""},
		{seed, "-1", `"-1" is not a whole number of 0 or more`},
	} {
		got := ""
		if err := c.read(c.text); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}
