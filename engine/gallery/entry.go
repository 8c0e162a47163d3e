package gallery

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"berth/engine/scenario"
	"berth/engine/study"
)

// Entry is a figure of a paper, or several figures that belong together.
type Entry struct {
	ID     string // "thesis-6.3"
	Paper  string // one of Papers
	Figure string // "6.3"
	Title  string
	Shows  string // the paper's finding in our words
	Setup  string // differences from the paper's setup
	// Generated says that the paper's workload is not public and a generator replaces
	// it. The verdict is then Direction at best.
	Generated bool
	// Tried are variants of unspecified details that might cause a difference. The
	// same criteria are judged for each.
	Tried []Variant
	// Panels are charts that show several metrics side by side. Each other metric has
	// its own chart.
	Panels []Panel
	// Along is a factor with ascending numbers over which metrics are drawn as
	// curves.
	Along string
	// Contest lists subjects: charts show the best of them in each cell of the other
	// factors.
	Contest []string

	Input string // Authors or Generated, for entries from [Entry.OnInputs]

	document func(full bool) study.Document
	authors  *authored
	frozen   string
	replaced bool // the user's files or numbers replace ours
}

// Variant is a change to an entry.
type Variant struct {
	What             string         // "a slope of Φ of 0.0004 instead of 0.001"
	Patch            map[string]any // merge patch of the base scenario
	Experiment, Full map[string]any // instead of Patch: merge patches of the experiment; Full applies at full size only
}

// Panel is a chart of the metrics whose names begin with Metrics and a dot.
type Panel struct {
	Metrics string // "perUnit"
	Title   string // "Node cost by unit of each deployment"
}

// Label returns the name of a metric in the panel, if the panel shows it.
func (p Panel) Label(metric string) (label string, ok bool) {
	rest, ok := strings.CutPrefix(metric, p.Metrics+".")
	return strings.ReplaceAll(rest, ".", ", "), ok
}

// List returns all entries; none on a page that has not fetched them yet.
func List() []Entry {
	if !ready() {
		return nil
	}
	return slices.Clone(entries())
}

// Lookup returns the entry with the given id; false if there is none.
func Lookup(id string) (Entry, bool) {
	all := List()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}

// Files returns the slots in which the authors' files can replace generated sources. Only an entry
// with Generated has such slots. Slots that a factor varies are not among them.
func (e *Entry) Files() (slots []string) {
	if !e.Generated {
		return nil
	}
	d := e.document(true)
	for _, slot := range d.Base.Slots() {
		if !slices.ContainsFunc(d.Factors, func(f study.Factor) bool { return varies(&d, &f, slot.Name) && !acrossOnly(&d, f.Name) }) {
			slots = append(slots, slot.Name)
		}
	}
	return slots
}

func varies(d *study.Document, f *study.Factor, slot string) bool {
	return strings.HasPrefix(f.Path, "/"+d.Base.Kind+"/"+slot+"/")
}

// acrossOnly reports whether every criterion is judged at each level of a factor, so that it has a
// meaning without the factor too.
func acrossOnly(d *study.Document, factor string) bool {
	return !slices.ContainsFunc(d.Criteria, func(c study.Criterion) bool { return c.Test.Across != factor })
}

// give puts a file into a slot of an experiment, and removes the factors that vary the slot.
func give(d *study.Document, slot scenario.Slot, file scenario.Source) {
	*slot.Source = file
	d.Factors = slices.DeleteFunc(d.Factors, func(f study.Factor) bool {
		if !varies(d, &f, slot.Name) {
			return false
		}
		for i := range d.Criteria {
			d.Criteria[i].Test.Across = ""
		}
		return true
	})
}

// On returns the entry with files instead of generated sources, by slot. If the first slot, the
// workload, is replaced, the run counts as the paper's own.
func (e *Entry) On(files map[string]scenario.Source) (*Entry, error) {
	known := e.Files()
	for slot := range files {
		if !slices.Contains(known, slot) {
			return nil, fmt.Errorf("%s takes no file for %q; known: %s", e.ID, slot, cmp.Or(strings.Join(known, ", "), "none"))
		}
	}
	own, generated := *e, e.document // copy now, because the caller may overwrite e
	own.replaced, own.authors = len(files) > 0, nil
	own.document = func(full bool) study.Document {
		d := generated(full)
		for _, slot := range d.Base.Slots() {
			if file, ok := files[slot.Name]; ok {
				give(&d, slot, file)
			}
		}
		return d
	}
	if len(known) > 0 && files[known[0]] != (scenario.Source{}) {
		own.Generated = false
	}
	return &own, nil
}

// Scenario returns the experiment of the entry, at full size or at the reduced size.
func (e *Entry) Scenario(full bool) scenario.Scenario {
	return study.New(e.Title, e.document(full))
}

// With returns the experiment of the entry with a variant applied.
func (e *Entry) With(v Variant, full bool) scenario.Scenario {
	title := e.Title + ": " + v.What
	d := e.document(full)
	if v.Patch == nil {
		return study.New(title, patched(tree(d), v.Experiment, size(full, nil, v.Full)))
	}
	d.Factors = append(d.Factors, study.Factor{Name: "tried", Levels: []study.Level{{Label: "yes", Patch: v.Patch}}})
	return study.New(title, d)
}

// Verdict returns the verdict of a report on the entry's experiment.
func (e *Entry) Verdict(r *study.Report) study.Verdict {
	switch {
	case r.Verdict == "":
		return study.Undecided
	case r.Verdict == study.Agrees && e.Generated:
		return study.Direction
	}
	return r.Verdict
}

// Judged is an entry with the results of its runs.
type Judged struct {
	ID string `json:"id"`
	Outcome
	Title     string    `json:"title"`
	Paper     string    `json:"paper"`
	Figure    string    `json:"figure"`
	Shows     string    `json:"shows"`
	Setup     string    `json:"setup"`
	Model     string    `json:"model,omitempty"` // what all entries of the paper run on
	Loads     string    `json:"loads,omitempty"`
	Generated bool      `json:"generated,omitempty"`
	Tried     []Tried   `json:"tried,omitempty"`
	Inputs    []OnInput `json:"inputs"`             // each has a verdict; the verdict of the first is the verdict of the figure
	FullSize  *Record   `json:"fullSize,omitempty"` // the recorded result at full size, next to a reduced run
	Chart     *Chart    `json:"-"`                  // shown on the card
}

// Outcome is the result of the runs of an experiment.
type Outcome struct {
	Verdict    study.Verdict  `json:"verdict"`
	Experiment string         `json:"experiment"` // hash of the experiment
	Runs       study.Count    `json:"runs"`
	Numbers    study.Tally    `json:"numbers"`
	Directions study.Tally    `json:"directions"`
	Criteria   []study.Judged `json:"criteria"`
}

// Tried is a variant (What) with the result of its runs.
type Tried struct {
	What string `json:"what"`
	Outcome
}

// Outcome returns the result of a report on the entry's experiment.
func (e *Entry) Outcome(s scenario.Scenario, r *study.Report) Outcome {
	o := Outcome{Verdict: e.Verdict(r), Experiment: s.Hash(), Runs: r.Runs, Criteria: append([]study.Judged{}, r.Criteria...)}
	o.Numbers, o.Directions = study.Tallies(r.Criteria)
	return o
}

// size selects one of two values.
func size[T any](full bool, reduced, complete T) T {
	if full {
		return complete
	}
	return reduced
}
