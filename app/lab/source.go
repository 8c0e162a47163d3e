package lab

import (
	"berth/engine/scenario/body"
	"berth/engine/workload"
	"berth/wasm/bridge"
)

// Source is one text of the inputs: the text itself, a file too large to be
// edited here, or the recipe that a generator makes it from. It never changes.
// An edit makes another one, so that a pointer is enough to tell whether a
// check or an undo step belongs to it.
type Source struct {
	body.Source
	File bridge.Blob // the text of a large file, which the page does not look at
}

// TextSource is a source with this text. An empty one is given a line, since a
// source without text is no source: the reader then says what is missing.
func TextSource(name, text string) *Source {
	if text == "" {
		text = "\n"
	}
	return &Source{Source: body.Source{Name: name, Text: text}}
}

// RecipeSource is a source that a generator makes.
func RecipeSource(name string, recipe workload.Recipe) *Source {
	return &Source{Source: body.Source{Name: name, Recipe: &recipe}}
}

// Large reports whether the text stands outside the page's memory.
func (s *Source) Large() bool { return s.File.Size() > 0 }

// Size is the length of the text in bytes.
func (s *Source) Size() int { return len(s.Text) + s.File.Size() }
