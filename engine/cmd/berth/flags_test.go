package main

import (
	"io"
	"maps"
	"regexp"
	"strings"
	"testing"

	flag "github.com/spf13/pflag"

	"berth/engine/parameter"
	"berth/engine/placement/placementtest/greedy"
)

// A strategy of another package has a flag for each of its parameters.
func TestParametersOfAPlugInAreFlags(t *testing.T) {
	for _, test := range []struct {
		args []string
		want parameter.Values
		err  string
	}{
		{nil, parameter.Values{}, ""},
		{[]string{"--greedy-scarcity", "2.5"}, parameter.Values{"scarcity": 2.5}, ""},
		{[]string{"--greedy-scarcity", "-1"}, parameter.Values{}, `invalid argument "-1" for "--greedy-scarcity" flag: expected a number from 0 to 1000000`},
	} {
		f := flag.NewFlagSet("", flag.ContinueOnError)
		f.SetOutput(io.Discard)
		got, text := plugInFlags(f, "greedy", greedy.Plugin.Parameters), ""
		if err := f.Parse(test.args); err != nil {
			text = err.Error()
		}
		if !maps.Equal(got, test.want) || text != test.err {
			t.Errorf("%q: got %v and %q, want %v and %q", test.args, got, text, test.want, test.err)
		}
	}
}

// The help of a flag without a default lists only its choices.
func TestNoChoiceIsWithoutAName(t *testing.T) {
	if stdout, _, _ := exec(t, "", "convert", "--help"); !strings.Contains(stdout, "--role") || regexp.MustCompile(`:\s*,`).MatchString(stdout) {
		t.Error(stdout)
	}
}
