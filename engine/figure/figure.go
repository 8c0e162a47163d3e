package figure

import (
	"cmp"
	"strconv"

	"berth/engine/show"
)

// Figure is one figure of a subject. A subject is a strategy, policy or scheduler of a report, or a
// part of one, such as a class of requests. Text fields that are "" omit the figure where they
// would be used.
type Figure struct {
	Name   string // in comparisons, experiments and criteria: "allocation.p50"
	Label  string // in tables of figures: "allocation, p50"
	Title  string // in headings: "Allocation time, median"
	About  string // explanation; "" if the title suffices
	Unit   string // "s"; "" for counts, fractions and costs
	Path   string // in the JSON of the command line: "allocationTime.p50"
	Column string // in CSV; "" if it is Name
	Key    string // path of its estimate over seeds in reports
	Each   string // in experiments, name for the parts of a subject: "perUnit" becomes "perUnit.0"
	// EachTitle is the title for a part, with %s for the part; "" means "Title of %s".
	EachTitle string
	Group     Group // its topic
	Form      Form
	Better    Better
	Aside     bool // omitted from tables that compare subjects on the command line
	Chart     bool // shown as a bar chart on the page
	// OfRun marks a figure that only a run has: a report that is read from a file has lost it.
	// Experiments include the figure; comparisons of reports do not.
	OfRun bool
	// OfBound says that the figure depends on a bound that more search improves. The page continues
	// the search, so it omits the figure when it compares reports, which have only the first bound.
	OfBound bool
	// Of returns the figure of a subject; it is undefined for a subject of another type. See [Of].
	Of func(subject any) Number
	// Words formats the figure for people; nil if it is shown as a number.
	Words func(subject any) string
	// TitleIn returns the title within a report, with the name of the thing that Title only
	// numbers; nil if all reports have the same title.
	TitleIn func(body any) string
}

// Group is the topic of a figure. Each laboratory defines its own groups.
type Group int

// Body is a report whose subjects have figures.
type Body interface {
	// Subject returns a subject by its number from 0, nil if there is none.
	Subject(i int) any
}

// Form is the format of a figure.
type Form int

// Forms. A figure without a form is Plain.
const (
	Plain Form = iota
	Count
	Seconds
	Span // of simulated time, in seconds
	Part // fraction, shown as a percentage
	Price
)

// Text formats a figure for a table of the command line.
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

// Better says which values of a figure are desirable.
type Better int

// Values of Better. Neither is for figures that are neither good nor bad, such as events.
const (
	Neither Better = iota
	Less
	More
)

// String returns "less", "more", or "" for Neither.
func (b Better) String() string { return [...]string{"", "less", "more"}[b] }

// Of returns f with its function Of set to value for subjects of type S, and undefined for others.
func Of[S any](f Figure, value func(S) Number) Figure {
	f.Of = func(subject any) Number {
		if s, ok := subject.(S); ok {
			return value(s)
		}
		return Undefined
	}
	return f
}

// Within returns the figure of a part as a figure of the whole subject. part returns the part of a
// subject; if it returns nil, the figure is undefined.
func Within[S any](f Figure, part func(S) any) Figure {
	of := f.Of
	return Of(f, func(s S) Number { return of(part(s)) })
}

// Value returns the figure of a subject by its number in a report.
func (f *Figure) Value(body Body, subject int) Number { return f.Of(body.Subject(subject)) }

// At returns a pointer to element i of a list of subjects, nil if it does not exist.
func At[S any](all []S, i int) any {
	if i < 0 || i >= len(all) {
		return nil
	}
	return &all[i]
}

// Text formats the figure of a subject for a table of the command line.
func (f *Figure) Text(subject any) string {
	if f.Words != nil {
		return f.Words(subject)
	}
	return f.Form.Text(f.Of(subject))
}

// Columns returns the CSV headers of figures.
func Columns(all []Figure) []string {
	heads := make([]string, len(all))
	for i := range all {
		heads[i] = cmp.Or(all[i].Column, all[i].Name)
	}
	return heads
}

// Cells returns the CSV cells of a subject, formatted by write.
func Cells(all []Figure, subject any, write func(Number) string) []string {
	cells := make([]string, len(all))
	for i := range all {
		cells[i] = write(all[i].Of(subject))
	}
	return cells
}

// Named returns the figure with a name, nil if there is none.
func Named(all []Figure, name string) *Figure {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// Where returns the figures for which keep returns true.
func Where(all []Figure, keep func(*Figure) bool) (kept []Figure) {
	for i := range all {
		if keep(&all[i]) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// Labelled returns the figures that tables show: those with a label.
func Labelled(all []Figure) []Figure {
	return Where(all, func(f *Figure) bool { return f.Label != "" })
}

// Heading returns the title with the unit, for a column or an axis.
func (f *Figure) Heading() string { return withUnit(f.Title, f.Unit) }

// Row returns the label with the unit, for a row.
func (f *Figure) Row() string { return withUnit(f.Label, f.Unit) }

func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + ", " + unit
}

// In returns the title for a comparison of two reports: the common TitleIn, or Title if they
// differ.
func (f *Figure) In(before, after any) string {
	if f.TitleIn != nil {
		if title := f.TitleIn(after); title == f.TitleIn(before) {
			return title
		}
	}
	return f.Title
}
