package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

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

// ruled writes a list of rules for help, in lines of at most 88 characters.
func ruled(rules []study.Meaning) string {
	var b strings.Builder
	for _, r := range rules {
		line := "  " + r.Name + ":"
		for _, word := range strings.Fields(r.Means) {
			if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > 88 {
				b.WriteString(line + "\n")
				line = "   "
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// figureText describes a judged figure. left is the number of figures still to come.
func figureText(f *gallery.Judged, left int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s. %s (%s", f.ID, f.Verdict, f.Title, show.Count(f.Runs.All, "run"))
	if left > 0 {
		fmt.Fprintf(&b, "; %s left", show.Count(left, "figure"))
	}
	b.WriteString(")\n")
	if f.Model != "" {
		fmt.Fprintf(&b, "  model: %s\n  loads: %s\n", f.Model, f.Loads)
	}
	if f.FullSize != nil {
		fmt.Fprintf(&b, "  at full size: %s (%s)\n", f.FullSize.Verdict, f.FullSize.How())
		if theirs := f.FullSize.Authors; theirs != nil {
			fmt.Fprintf(&b, "  on the authors' files: %s; %s\n", theirs.Verdict, study.Tallied(theirs.Numbers, theirs.Directions))
		}
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
	fmt.Fprintf(b, "%s\n", tallied(&on.Outcome))
	writeCriteria(b, "  ", on.Criteria)
	for _, v := range on.Tried {
		fmt.Fprintf(b, "  with %s: %s; %s\n", v.What, v.Verdict, tallied(&v.Outcome))
		writeCriteria(b, "    ", v.Criteria)
	}
}

func tallied(o *gallery.Outcome) string {
	text := study.Tallied(o.Numbers, o.Directions)
	if others := study.Others(o.Criteria); others != "" {
		text += "; " + others
	}
	return text
}

func writeCriteria(w io.Writer, indent string, all []study.Judged) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, j := range all {
		fmt.Fprintf(t, "%s%s%s\t%s\t%s\texpected %s\tfound %s\t%s\n", indent, j.Verdict, j.NotMeasured(), j.ID, j.Says, j.Published, j.Ours, strings.Trim(j.Why+"; "+j.Basis, "; "))
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
