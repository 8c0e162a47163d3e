package figure

import (
	"cmp"
	"strconv"

	"berth/engine/show"
)

// Figure is one figure of a subject: of a strategy, policy or scheduler of a report, or of a
// part of one, such as a class of requests.
type Figure struct {
	Name   string // in comparisons, experiments and criteria: "allocation.p50"; "" for one that these leave out
	Label  string // in tables of figures: "allocation, p50"; "" for one that they leave out
	Title  string // "Allocation time, median"
	About  string // what it is; "" where the title says that
	Unit   string // "s"; "" of counts, parts and costs
	Path   string // in the JSON of the command line: "allocationTime.p50"; "" for one that it leaves out
	Column string // in CSV
	Key    string // of its estimate over seeds in reports
	Each   string // in experiments, of each part of a subject: "perUnit" makes "perUnit.0"
	// EachTitle is the title of those with the part at %s; "Title of %s" where it is empty.
	EachTitle string
	Group     Group // what it is about
	Form      Form
	Better    Better
	Aside     bool // tables that compare subjects on the command line leave it out
	Chart     bool // the page has a bar chart of it
	// OfRun says that only a run knows it, and not its report when that is read again:
	// experiments have it, and comparisons of reports do not.
	OfRun bool
	// OfBound says that it depends on a bound that more search improves. The page, which goes
	// on to search, leaves it out where it compares reports: these have only the first bound.
	OfBound bool
	// Of returns the figure of a subject, undefined for one of another type; see [Of].
	Of func(subject any) Number
	// Words is how people read it; nil for a number.
	Words func(subject any) string
	// TitleIn is its title in a report that has a name for what Title numbers; nil
	// where there is no such thing.
	TitleIn func(body any) string
}

// Group is what a figure is about; each laboratory has its own.
type Group int

// Body is a report whose subjects have figures.
type Body interface {
	// Subject returns a subject by its number from 0, nil if there is none.
	Subject(i int) any
}

// Form is how a figure is written.
type Form int

// The forms.
const (
	Plain Form = iota
	Count
	Seconds
	Span // of simulated time, in seconds
	Part // of a whole, as a percentage
	Price
)

// Text writes a figure in a table of the command line.
func (f Form) Text(x Number) string {
	switch {
	case !x.Defined():
	case f == Count:
		return strconv.FormatFloat(float64(x), 'f', 0, 64)
	case f == Part:
		return show.Percent(float64(x))
	}
	return x.String()
}

// Better says which values of a figure are to be wished for.
type Better int

// The directions.
const (
	Neither Better = iota
	Less
	More
)

// String is "less", "more", or "" of neither.
func (b Better) String() string { return [...]string{"", "less", "more"}[b] }

// Of completes a figure by how it comes from a subject of type S.
func Of[S any](f Figure, value func(S) Number) Figure {
	f.Of = func(subject any) Number {
		if s, ok := subject.(S); ok {
			return value(s)
		}
		return Undefined
	}
	return f
}

// Within makes a figure of a part of a subject one of the subject; part returns nil where
// that has no such part.
func Within[S any](f Figure, part func(S) any) Figure {
	of := f.Of
	return Of(f, func(s S) Number { return of(part(s)) })
}

// Value returns the figure of a subject of a report.
func (f *Figure) Value(body Body, subject int) Number { return f.Of(body.Subject(subject)) }

// At returns a pointer to an entry of a list of subjects, nil if there is none.
func At[S any](all []S, i int) any {
	if i < 0 || i >= len(all) {
		return nil
	}
	return &all[i]
}

// Text is the figure of a subject in a table of the command line.
func (f *Figure) Text(subject any) string {
	if f.Words != nil {
		return f.Words(subject)
	}
	return f.Form.Text(f.Of(subject))
}

// Columns are the heads of figures in CSV.
func Columns(all []Figure) []string {
	heads := make([]string, len(all))
	for i := range all {
		heads[i] = cmp.Or(all[i].Column, all[i].Name)
	}
	return heads
}

// Cells are the figures of a subject in CSV.
func Cells(all []Figure, subject any, write func(Number) string) []string {
	cells := make([]string, len(all))
	for i := range all {
		cells[i] = write(all[i].Of(subject))
	}
	return cells
}

// Named returns the figure of a name, nil if there is none.
func Named(all []Figure, name string) *Figure {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// Where returns the figures for which keep holds.
func Where(all []Figure, keep func(*Figure) bool) (kept []Figure) {
	for i := range all {
		if keep(&all[i]) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// Labelled are the figures that tables have.
func Labelled(all []Figure) []Figure {
	return Where(all, func(f *Figure) bool { return f.Label != "" })
}

// Heading is the title with the unit, for the head of a column or an axis.
func (f *Figure) Heading() string { return withUnit(f.Title, f.Unit) }

// Row is the label with the unit, for the head of a row.
func (f *Figure) Row() string { return withUnit(f.Label, f.Unit) }

func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + ", " + unit
}

// In is its title in two reports that are compared.
func (f *Figure) In(before, after any) string {
	if f.TitleIn != nil {
		if title := f.TitleIn(after); title == f.TitleIn(before) {
			return title
		}
	}
	return f.Title
}
