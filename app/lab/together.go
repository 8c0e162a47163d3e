package lab

import (
	"slices"
	"strings"

	"berth/engine/input/format/sniff"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// together concatenates the sources that form one input into one source.
func together(all []*Source) []*Source {
	heads := make([]string, len(all))
	for i, s := range all {
		if !strings.HasSuffix(s.Name, ".gz") { // packed data cannot be concatenated with text
			heads[i] = s.Head()
		}
	}
	parts := sniff.Together(heads)
	if parts == nil {
		return all
	}
	var names, texts []string
	var files []bridge.Blob
	size, large := 0, false
	for _, i := range parts {
		part := all[i]
		line, file := sniff.SectionLine(part.Name), part.File
		large = large || part.Large()
		if !part.Large() {
			file = bridge.NewBlob([]byte(part.Text))
		}
		names, texts, size = append(names, part.Name), append(texts, line+part.Head()), size+part.Size()
		files = append(files, bridge.NewBlob([]byte(line)), file)
	}
	one := TextSource(strings.Join(names, " + "), strings.Join(texts, ""))
	if large || size > editable {
		one = &Source{Source: scenario.Source{Name: one.Name}, File: bridge.Joined(files), head: one.Text[:min(len(one.Text), beginning)]}
	}
	left := []*Source{one}
	for i, s := range all {
		if !slices.Contains(parts, i) {
			left = append(left, s)
		}
	}
	return left
}
