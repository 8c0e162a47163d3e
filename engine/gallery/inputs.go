package gallery

import (
	"slices"
	"strings"

	"berth/engine/scenario"
	"berth/engine/study"
)

// The inputs of an entry.
const (
	Authors   = "authors"   // the authors' input: their files, or a preset with their numbers
	Generated = "generated" // the output of a generator as a substitute
)

// authored describes how an entry runs on the authors' input, in a single size.
type authored struct {
	// Needs lists the ids of the required files in the manifest; a preset needs none. The file
	// replaces each source whose name is its id and that has nothing else.
	Needs      []string
	Setup      string // differences from the paper's setup with this input
	Measured   string // prefix of the ids of the Kubernetes measurements; "" for none
	Tried      []Variant
	Experiment map[string]any
}

// on returns the experiment of a figure with the files filled in. The files may include others.
func (a *authored) on(f AuthorFiles, figure string) study.Document {
	own := patched(a.Experiment)
	f.give(&own, a.Needs)
	if a.Measured == "" {
		return own
	}
	i := slices.IndexFunc(own.Factors, func(f study.Factor) bool { return f.Name == "replication" })
	if i < 0 {
		own.Criteria = append(own.Criteria, f.measured(figure, a.Measured, "")...)
		return own
	}
	for _, level := range own.Factors[i].Levels {
		own.Criteria = append(own.Criteria, f.measured(figure, a.Measured+level.Label, level.Label)...)
	}
	return own
}

// Needs returns the ids of the manifest files that the entry needs to run on the
// authors' input; ok is false if the entry has no such input.
func (e *Entry) Needs() (ids []string, ok bool) {
	if e.authors == nil {
		return nil, false
	}
	return e.authors.Needs, true
}

// OnInputs returns the entry for each input available with the given files: the
// authors' input, if complete, then the generated one.
func (e *Entry) OnInputs(f AuthorFiles) []Entry {
	own := *e
	own.Input = Generated
	missing := func(id string) bool { return f.find(id) == (scenario.Source{}) }
	if e.authors == nil || slices.ContainsFunc(e.authors.Needs, missing) {
		return []Entry{own}
	}
	theirs := *e
	theirs.Input, theirs.Setup, theirs.Generated, theirs.Tried = Authors, e.authors.Setup, false, e.authors.Tried
	theirs.replaced = len(e.authors.Needs) > 0
	theirs.document = func(bool) study.Document { return theirs.authors.on(f, theirs.Figure) }
	return []Entry{theirs, own}
}

// find returns the file with an id. If there is none, it returns the workload of a replication, or
// the file with the same values whose id ends in "-table".
func (f AuthorFiles) find(id string) scenario.Source {
	if s, ok := f[id]; ok {
		return s
	}
	if replication, ok := strings.CutSuffix(id, "-workload"); ok && strings.Contains(id, "-replication") {
		return f.replayed(replication)
	}
	return f[id+"-table"]
}

// OnInput is the result of the runs on one input.
type OnInput struct {
	Input string `json:"input"`
	Setup string `json:"setup"`
	Outcome
	Tried []Tried `json:"tried,omitempty"`
	Chart *Chart  `json:"-"` // shown on the card
}

// Judge combines the results of the runs on each input of an entry. The first input is the
// authors', if available; its verdict is the verdict of the figure.
func (e *Entry) Judge(inputs []OnInput) Judged {
	first, paper := inputs[0], e.PaperOf()
	return Judged{
		ID: e.ID, Outcome: first.Outcome, Title: e.Title, Paper: e.Paper, Figure: e.Figure, Shows: e.Shows, Setup: first.Setup,
		Model: paper.Model, Loads: paper.Loads,
		Generated: e.Generated && first.Input == Generated, Tried: first.Tried, Inputs: inputs, Chart: first.Chart,
	}
}
