package yamlwords

import (
	"regexp"
	"testing"
)

// The regular expressions of package yaml.
var (
	yamlStyleFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	base60float    = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)
)

func FuzzNumbersAreThoseOfYAML(f *testing.F) {
	for _, s := range []string{
		"", "1", "-1.5e3", "+.5", ".", "1.", "1.e", "1e", "1e+", "1e+1", "e1", "--1", "1_0", "0x1", "1\n", ".5.5", "1.5E-10",
		"190:20:30.15", "1:2", "1:60", "1:5", "1:05", "1:005", "_1:2", "1_:2", "1:", ":1", "1:2.", "1:2._3", "1:2.x", "-1:2", "1:2:3", "1:2.3:4", "1.2:3", "1:2\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := (decimal{}).MatchString(s), yamlStyleFloat.MatchString(s); got != want {
			t.Errorf("decimal %q: %v, want %v", s, got, want)
		}
		if got, want := (sexagesimal{}).MatchString(s), base60float.MatchString(s); got != want {
			t.Errorf("sexagesimal %q: %v, want %v", s, got, want)
		}
	})
}
