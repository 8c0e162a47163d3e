package gallery

import (
	"slices"

	"berth/engine/scenario"
	"berth/engine/study"
)

// The inputs of an entry.
const (
	Authors   = "authors"   // what the authors used, by their files or by a preset with their numbers
	Generated = "generated" // what a generator of ours stands in with
)

// authored is how an entry runs on the authors' input. It has one size.
type authored struct {
	needs []string // ids of the manifest; none where a preset has the authors' numbers
	setup string   // what is not as in the paper then
	// document makes the experiment of the files, which may have more than it needs.
	document func(AuthorFiles) study.Document
	tried    []Variant
}

// Needs are the files that the entry has to have to run on the authors' input, by their
// ids in the manifest; ok is false if there is no such input.
func (e *Entry) Needs() (ids []string, ok bool) {
	if e.authors == nil {
		return nil, false
	}
	return e.authors.needs, true
}

// OnInputs returns the entry on each input that there is with some files: on the authors'
// first, then on the generated one.
func (e *Entry) OnInputs(f AuthorFiles) []Entry {
	own := *e
	own.Input = Generated
	missing := func(id string) bool { return f.find(id) == (scenario.Source{}) }
	if e.authors == nil || slices.ContainsFunc(e.authors.needs, missing) {
		return []Entry{own}
	}
	theirs := *e
	theirs.Input, theirs.Setup, theirs.Generated, theirs.Tried = Authors, e.authors.setup, false, e.authors.tried
	theirs.replaced = len(e.authors.needs) > 0
	document := e.authors.document
	theirs.document = func(bool) study.Document { return document(f) }
	return []Entry{theirs, own}
}

// find returns a file, or the same values in another form, which the manifest calls a table.
func (f AuthorFiles) find(id string) scenario.Source {
	if s, ok := f[id]; ok {
		return s
	}
	return f[id+"-table"]
}

// OnInput is what the runs on one input say.
type OnInput struct {
	Input string `json:"input"`
	Setup string `json:"setup"`
	Outcome
	Tried []Tried `json:"tried,omitempty"`
	Chart *Chart  `json:"-"` // what a card draws of it
}

// Judge returns what the runs on each input of an entry say, the authors' first, whose
// verdict is the figure's.
func (e *Entry) Judge(inputs []OnInput) Judged {
	first := inputs[0]
	return Judged{
		ID: e.ID, Outcome: first.Outcome, Title: e.Title, Paper: e.Paper, Figure: e.Figure, Shows: e.Shows, Setup: first.Setup,
		Generated: e.Generated && first.Input == Generated, Tried: first.Tried, Inputs: inputs, Chart: first.Chart,
	}
}
