package gallery

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"berth/engine/scenario"
	"berth/engine/study"
)

// Entry is one figure of a paper, or some that belong together.
type Entry struct {
	ID     string // "thesis-6.3"
	Paper  string // one of Papers
	Figure string // "6.3"
	Title  string
	Shows  string // what the paper shows, in words of ours
	Setup  string // what is not as in the paper
	// Generated says that the paper's workload is not public and one of a generator
	// stands in for it: the verdict is direction at best.
	Generated bool
	// Tried is what the paper leaves open and could be the cause of a difference: the
	// same criteria are judged with each.
	Tried []Variant
	// Panels are the metrics that are drawn side by side; others have a chart each.
	Panels []Panel
	// Along names a factor of rising numbers: metrics are drawn as curves over it.
	Along string
	// Marks are numbers of the paper that charts show and that do not judge.
	Marks []study.Criterion
	// Contest names subjects: a chart has the best of them in each cell of the other factors.
	Contest []string

	Input string // Authors or Generated, of one that [Entry.OnInputs] returned

	document func(full bool) study.Document
	authors  *authored
	frozen   string
	replaced bool // files or numbers of somebody else stand in place of ours
}

// Variant is a change of an entry.
type Variant struct {
	What             string         // "a slope of Φ of 0.0004 instead of 0.001"
	Patch            map[string]any // of the base
	Experiment, Full map[string]any // of the experiment, instead; at full size also Full
}

// Panel is a chart of the metrics whose names begin with Metrics and a dot.
type Panel struct {
	Metrics string // "perUnit"
	Title   string // "Node cost by unit of each deployment"
}

// Label returns how a metric is called in the panel, if it is drawn there.
func (p Panel) Label(metric string) (label string, ok bool) {
	rest, ok := strings.CutPrefix(metric, p.Metrics+".")
	return strings.ReplaceAll(rest, ".", ", "), ok
}

// List returns all entries, none in a page that has not fetched them yet.
func List() []Entry {
	if !ready() {
		return nil
	}
	return slices.Clone(entries())
}

// Lookup returns the entry with an id.
func Lookup(id string) (Entry, bool) {
	all := List()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}

// Files returns the slots of an entry whose generated sources files of the authors may
// take the place of: those of an entry whose workload is not public, without what its
// factors vary.
func (e *Entry) Files() (slots []string) {
	if !e.Generated {
		return nil
	}
	d := e.document(true)
	for _, slot := range d.Base.Slots() {
		path := "/" + d.Base.Kind + "/" + slot.Name + "/"
		if !slices.ContainsFunc(d.Factors, func(f study.Factor) bool { return strings.HasPrefix(f.Path, path) }) {
			slots = append(slots, slot.Name)
		}
	}
	return slots
}

// On returns the entry with files in place of generated sources, by slot. With a
// workload, which is the first of them, it is the paper's own run.
func (e *Entry) On(files map[string]scenario.Source) (*Entry, error) {
	known := e.Files()
	for slot := range files {
		if !slices.Contains(known, slot) {
			return nil, fmt.Errorf("%s takes no file for %q; known: %s", e.ID, slot, cmp.Or(strings.Join(known, ", "), "none"))
		}
	}
	own, generated := *e, e.document // not by way of e, which may be overwritten
	own.replaced, own.authors = len(files) > 0, nil
	own.document = func(full bool) study.Document {
		d := generated(full)
		for _, slot := range d.Base.Slots() {
			if file, ok := files[slot.Name]; ok {
				*slot.Source = file
			}
		}
		return d
	}
	if len(known) > 0 && files[known[0]] != (scenario.Source{}) {
		own.Generated = false
	}
	return &own, nil
}

// Scenario returns the experiment of an entry.
func (e *Entry) Scenario(full bool) scenario.Scenario {
	return study.New(e.Title, e.document(full))
}

// With returns the experiment of an entry with a change.
func (e *Entry) With(v Variant, full bool) scenario.Scenario {
	title := e.Title + ": " + v.What
	d := e.document(full)
	if v.Patch == nil {
		return study.New(title, patched(tree(d), v.Experiment, size(full, nil, v.Full)))
	}
	d.Factors = append(d.Factors, study.Factor{Name: "tried", Levels: []study.Level{{Label: "yes", Patch: v.Patch}}})
	return study.New(title, d)
}

// Verdict is that of a report on the experiment of the entry.
func (e *Entry) Verdict(r *study.Report) study.Verdict {
	switch {
	case r.Verdict == "":
		return study.Undecided
	case r.Verdict == study.Agrees && e.Generated:
		return study.Direction
	}
	return r.Verdict
}

// Judged is an entry with what its runs say.
type Judged struct {
	ID string `json:"id"`
	Outcome
	Title     string    `json:"title"`
	Paper     string    `json:"paper"`
	Figure    string    `json:"figure"`
	Shows     string    `json:"shows"`
	Setup     string    `json:"setup"`
	Generated bool      `json:"generated,omitempty"`
	Tried     []Tried   `json:"tried,omitempty"`
	Inputs    []OnInput `json:"inputs"`             // each with its own verdict; the figure's is that of the first
	FullSize  *Record   `json:"fullSize,omitempty"` // what it came to then, beside a run at reduced size
	Chart     *Chart    `json:"-"`                  // what a card draws of it
}

// Outcome is what the runs of an experiment say.
type Outcome struct {
	Verdict    study.Verdict  `json:"verdict"`
	Experiment string         `json:"experiment"` // its hash
	Runs       study.Count    `json:"runs"`
	Numbers    study.Tally    `json:"numbers"`
	Directions study.Tally    `json:"directions"`
	Criteria   []study.Judged `json:"criteria"`
}

// Tried is a variant with what its runs say.
type Tried struct {
	What string `json:"what"`
	Outcome
}

// Outcome returns what a report on an experiment of the entry says.
func (e *Entry) Outcome(s scenario.Scenario, r *study.Report) Outcome {
	o := Outcome{Verdict: e.Verdict(r), Experiment: s.Hash(), Runs: r.Runs, Criteria: append([]study.Judged{}, r.Criteria...)}
	o.Numbers, o.Directions = study.Tallies(r.Criteria)
	return o
}

// size returns one of two.
func size[T any](full bool, reduced, complete T) T {
	if full {
		return complete
	}
	return reduced
}
