package lab

import (
	"math"
	"strings"
	"testing"
)

func TestLengthOfALink(t *testing.T) {
	for n, want := range map[int]string{408: "All chat and mail programs", 2001: "Some chat programs", 8000: "Some chat programs", 8001: "send the file"} {
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

func TestIsLink(t *testing.T) {
	for fragment, want := range map[string]bool{
		"#s=1.rJb": true, "#1.rJb": true, "#99.abc": true, "#s=": true, "": false, "#main": false, "#1": false, "#v1.rJb": false,
	} {
		if got := isLink(fragment); got != want {
			t.Errorf("isLink(%q) is %t, want %t", fragment, got, want)
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
		want string // "" for an accepted text
	}{
		{number(2), " 2 ", ""},
		{number(2), "2.1", `enter a number from 0.5 to 2, not "2.1"`},
		{number(2), "NaN", `enter a number from 0.5 to 2, not "NaN"`},
		{number(34359738), "-1", "enter a number from 0.5 to 34\u202f359\u202f738, not \"-1\""},
		{number(math.MaxFloat64), "1e300", ""},
		{number(math.MaxFloat64), "Inf", `enter a number of 0.5 or more, not "Inf"`},
		{whole(3), "3", ""},
		{whole(3), "1.5", `enter a whole number from 1 to 3, not "1.5"`},
		{whole(math.MaxInt), "0", `enter a whole number of 1 or more, not "0"`},
		{seed, "18446744073709551615", ""},
		{seed, "-1", `enter a whole number of 0 or more, not "-1"`},
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
