package trace

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/input/format/sniff"
)

// The table of the page on formats is generated from the tables that the readers use.
func TestPageOfFormats(t *testing.T) {
	var b strings.Builder
	b.WriteString("| system | file | in | columns that count |\n|---|---|---|---|\n")
	for _, f := range sniff.Formats() {
		in := "Federate, QoS"
		if f.For == sniff.Hosts {
			in = "hosts of QoS, machines of Federate"
		}
		if f.Of == "" || f.For&sniff.Placement != 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Of, f.What, in, cmp.Or(columns(formats[f]), "see below"))
	}
	golden.Part(t, "../../../web/docs/pages/formats.md", "formats of other systems", b.String())
}

// columns returns the columns that Berth uses of a foreign table with their units,
// optional ones in brackets; "" for formats that are not tables.
func columns(f *fileFormat) string {
	if f == nil || f.unit == "" || f.table == nil {
		return ""
	}
	units := [...]string{inSeconds: " (s)", inDays: " (days)", asDate: " (date or s)", asSpan: " (D-HH:MM:SS)", inPercent: " (%)", inMillis: " (ms)", asDateMillis: " (date or ms)", inMebi: " (MB)", inMinutes: " (min)", asMoment: " (s)"}
	var all []string
	for _, c := range f.table.columns {
		text := "`" + c.name + "`" + units[c.unit]
		switch {
		case c.is == unused:
			continue
		case c.need == may:
			text = "[" + text + "]"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}
