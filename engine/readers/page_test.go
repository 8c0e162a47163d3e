package readers_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"berth/engine/format/sniff"
	"berth/engine/golden"
	"berth/engine/trace"
)

// The table of the page on formats is made from the tables that the readers go by.
func TestPageOfFormats(t *testing.T) {
	var b strings.Builder
	b.WriteString("| system | file | in | columns that count |\n|---|---|---|---|\n")
	for _, f := range sniff.OfOthers() {
		in := "Federate, QoS"
		if f.For == sniff.Hosts {
			in = "hosts of QoS, machines of Federate"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Of, f.What, in, cmp.Or(trace.Columns(f.Name), "see below"))
	}
	golden.Part(t, "../../web/docs/pages/formats.md", "formats of other systems", b.String())
}
