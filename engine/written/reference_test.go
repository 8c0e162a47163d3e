package written_test

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/written"
)

// The documentation has every function, setting and attribute as declared.
func TestReference(t *testing.T) {
	for i := range written.Laboratories {
		l := &written.Laboratories[i]
		golden.Part(t, "../../web/docs/pages/policies.md", "what a policy of "+l.Kind+" has", reference(l))
	}
}

// reference documents the functions that a policy of a laboratory may define, and
// their arguments.
func reference(l *written.Laboratory) string {
	var b strings.Builder
	for _, f := range l.Functions {
		fmt.Fprintf(&b, "- `%s(%s)`: %s\n", f.Name, strings.Join(f.Parameters, ", "), f.Help)
	}
	for _, s := range l.Settings {
		fmt.Fprintf(&b, "- `%s = …`: %s\n", s.Name, s.Help)
	}
	for _, t := range l.Types {
		fmt.Fprintf(&b, "\n%s\n", t.Help)
		if len(t.Attributes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n| `%s.` | unit | what |\n|---|---|---|\n", t.Name)
		for _, a := range t.Attributes {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", a.Name, a.Unit, a.Help)
		}
	}
	return b.String()
}
