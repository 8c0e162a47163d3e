package rule

import (
	"slices"
	"strings"
	"testing"
)

var known = Words{
	Jobs:      []string{"web-1", "web-2", "my db"},
	OfCluster: []Choices{{"region", []string{"eu", "us"}}, {"cluster", []string{"a", "b"}}},
	OfJobs:    []Choices{{"group", []string{"web"}}},
}

func TestComplete(t *testing.T) {
	for text, want := range map[string][]string{
		"o":                        {"only"},
		"only ":                    {"only region=", "only cluster="},
		"only r":                   {"only region="},
		"only region=":             {"only region=eu", "only region=us"},
		"only region=eu,":          {"only region=eu,eu", "only region=eu,us"},
		"only region=eu ":          nil,
		"never cluster=b":          nil,
		"apart w":                  {"apart web-1", "apart web-2"},
		"apart web-1 web-2 b":      {"apart web-1 web-2 by"},
		"apart m":                  nil,
		`apart "my db" by `:        {`apart "my db" by region`, `apart "my db" by cluster`},
		"apart group=":             {"apart group=web"},
		"web-1: n":                 {"web-1: never"},
		"w":                        {"web-1", "web-2"},
		"at ":                      {"at most", "at least"},
		"at least 2 values of ":    {"at least 2 values of region", "at least 2 values of cluster"},
		"at most ":                 {"at most 1", "at most 2", "at most 3"},
		"at most 2 ":               {"at most 2 of", "at most 2 jobs of", "at most 2 values of", "at most 2 clusters"},
		"at most 2 of group=web p": {"at most 2 of group=web per"},
		"at most 4 jobs of r":      {"at most 4 jobs of region="},
		"spread by region ":        {"spread by region skew 1"},
		"only region=eu; nev":      {"only region=eu; never"},
	} {
		if got := Complete(text, known); !slices.Equal(got, want) {
			t.Errorf("%q may become %q, want %q", text, got, want)
		}
	}
}

// A completion of any text keeps the text before its last word.
func FuzzComplete(f *testing.F) {
	f.Add(`apart "x`)
	f.Add("at most 2 jobs of region=eu, ; only")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range Complete(text, known) {
			at := strings.LastIndexFunc(text, delimits) + 1
			if !strings.HasPrefix(c, text[:at]) {
				t.Errorf("%q becomes %q", text, c)
			}
		}
	})
}
