package lab

import (
	"strings"

	"berth/engine/input/format/sniff"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// together joins the sources that are parts of one file.
func together(all []*Source) []*Source {
	names, heads := make([]string, len(all)), make([]string, len(all))
	for i, s := range all {
		if names[i] = s.Name; !strings.HasSuffix(s.Name, ".gz") { // packed data cannot be concatenated with text
			heads[i] = s.Head()
		}
	}
	name, joined, left := sniff.Join(names, heads, all, func(line string) *Source { return TextSource("", line) })
	if name == "" {
		return all
	}
	var text strings.Builder
	files, size, large := make([]bridge.Blob, len(joined)), 0, false
	for i, s := range joined {
		text.WriteString(s.Head())
		if files[i] = s.File; !s.Large() {
			files[i] = bridge.NewBlob([]byte(s.Text))
		}
		size, large = size+s.Size(), large || s.Large()
	}
	one := TextSource(name, text.String())
	if large || size > editable {
		one = &Source{Source: scenario.Source{Name: name}, File: bridge.Joined(files), head: one.Text[:min(len(one.Text), beginning)]}
	}
	sources := []*Source{one}
	for _, i := range left {
		sources = append(sources, all[i])
	}
	return sources
}
