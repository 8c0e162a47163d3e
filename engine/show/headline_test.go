package show

import (
	"slices"
	"strings"
	"testing"
)

func TestHeadline(t *testing.T) {
	long := strings.Repeat("x", MostHeadline-4)
	for _, c := range []struct {
		parts []string
		want  string
		rest  []string
	}{
		{[]string{"a"}, "a", nil},
		{[]string{"a", "b"}, "a · b", nil},
		{[]string{long, "é"}, long + " · é", nil},
		{[]string{long, "ab", "c"}, long, []string{"ab.", "c."}},
		{[]string{long + long, "b"}, long + long, []string{"b."}},
	} {
		if got, rest := Headline(c.parts); got != c.want || !slices.Equal(rest, c.rest) {
			t.Errorf("%q gives %q and %q", c.parts, got, rest)
		}
	}
}

func TestCapital(t *testing.T) {
	for text, want := range map[string]string{"": "", "a b": "A b", "über": "Über", "A": "A", "1 a": "1 a"} {
		if got := Capital(text); got != want {
			t.Errorf("Capital(%q) = %q, want %q", text, got, want)
		}
	}
}
