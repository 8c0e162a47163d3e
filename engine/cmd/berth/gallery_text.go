package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"berth/engine/gallery"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

func (c *call) writeGallery(format string, full bool, all []gallery.Judged) error {
	if format == "json" {
		return c.writeJSON(struct {
			Engine  string           `json:"engine"`
			Full    bool             `json:"full"`
			Figures []gallery.Judged `json:"figures"`
		}{scenario.Engine, full, all})
	}
	var b strings.Builder
	count := map[study.Verdict]int{}
	for _, f := range all {
		count[f.Verdict]++
	}
	fmt.Fprintf(&b, "\n%s:", show.Count(len(all), "figure"))
	for i, v := range []study.Verdict{study.Agrees, study.Direction, study.Differs, study.Undecided} {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d %s", count[v], v)
	}
	b.WriteByte('\n')
	return c.write([]byte(b.String()))
}

// figureText describes a judged figure.
func figureText(f *gallery.Judged) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s. %s (%s)\n", f.ID, f.Verdict, f.Title, show.Count(f.Runs.All, "run"))
	if f.FullSize != nil {
		fmt.Fprintf(&b, "  at full size: %s (%s)\n", f.FullSize.Verdict, f.FullSize.How())
	}
	for _, on := range f.Inputs {
		writeInput(&b, &on, len(f.Inputs) > 1)
	}
	return []byte(b.String())
}

// inputWords are phrases for the kinds of inputs.
var inputWords = map[string]string{gallery.Authors: "with the authors' input", gallery.Generated: "with generated input"}

// writeInput writes the outcome on one input. If the figure has several inputs, it names the input.
func writeInput(b *strings.Builder, on *gallery.OnInput, several bool) {
	if several {
		fmt.Fprintf(b, "  %s: %s; ", inputWords[on.Input], on.Verdict)
	} else {
		b.WriteString("  ")
	}
	fmt.Fprintf(b, "%s\n", study.Tallied(on.Numbers, on.Directions))
	writeCriteria(b, "  ", on.Criteria)
	for _, v := range on.Tried {
		fmt.Fprintf(b, "  with %s: %s; %s\n", v.What, v.Verdict, study.Tallied(v.Numbers, v.Directions))
		writeCriteria(b, "    ", v.Criteria)
	}
}

func writeCriteria(w io.Writer, indent string, all []study.Judged) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, j := range all {
		fmt.Fprintf(t, "%s%s\t%s\t%s\texpected %s\tfound %s\t%s\n", indent, j.Verdict, j.ID, j.Says, j.Published, j.Ours, j.Why)
	}
	t.Flush()
}

// writeSources lists the manifest with a command to fetch each file.
func (c *call) writeSources(format string) error {
	if format == "json" {
		return c.writeJSON(struct {
			Sources []gallery.Published `json:"sources"`
		}{gallery.Manifest()})
	}
	var b strings.Builder
	for _, s := range gallery.Manifest() {
		fmt.Fprintf(&b, "# %s: %s. Licence: %s\n", s.ID, s.For, s.Licence)
		switch {
		case s.SHA256 == nil:
			b.WriteString("# not checked: no SHA-256 is known\n")
		default:
			fmt.Fprintf(&b, "# %d bytes, SHA-256 %s\n", *s.Bytes, *s.SHA256)
		}
		if url := s.URL(); url != "" {
			fmt.Fprintf(&b, "curl -fL -o '%s%s' '%s'\n", s.ID, filepath.Ext(s.Path), url)
		}
		b.WriteByte('\n')
	}
	return c.write([]byte(b.String()))
}
