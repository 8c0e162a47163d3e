package figure

import (
	"strconv"

	"berth/engine/csv"
	"berth/engine/show"
)

// Figure is one figure of the subjects of a report: of a strategy, policy or scheduler.
type Figure struct {
	Name   string // in JSON, CSV and criteria: "allocation.p50"
	Label  string // in tables of figures: "allocation, p50"; "" for one that they leave out
	Title  string // "Allocation time, median"
	About  string // what it is; "" where the title says that
	Unit   string // "s"; "" of counts, parts and costs
	Form   Form
	Better Better
	Chart  bool // the page has a bar chart of it
	// OfRun says that only a run knows it, and not its report when that is read again:
	// experiments have it, and comparisons of reports do not.
	OfRun bool
	// OfBound says that it depends on a bound that more search improves. The page, which goes
	// on to search, leaves it out where it compares reports: these have only the first bound.
	OfBound bool
	// Value returns the figure of a subject of the body of a report, from 0.
	Value func(body any, subject int) Number
	// OfSubject returns that of a subject by itself, a pointer into such a body.
	OfSubject func(subject any) Number
	// TitleIn is its title in a report that has a name for what Title numbers; nil
	// where there is no such thing.
	TitleIn func(body any) string
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

// Of completes a figure by how it comes from a subject of a report of type B; of
// another report it is undefined.
func Of[B, S any](f Figure, subjects func(B) []S, value func(*S) Number) Figure {
	f.OfSubject = func(subject any) Number {
		if s, ok := subject.(*S); ok {
			return value(s)
		}
		return Undefined
	}
	f.Value = func(body any, subject int) Number {
		if b, ok := body.(B); ok {
			if all := subjects(b); subject >= 0 && subject < len(all) {
				return value(&all[subject])
			}
		}
		return Undefined
	}
	return f
}

// Text is the figure of a subject in a table of the command line.
func (f *Figure) Text(body any, subject int) string {
	return f.Form.Text(f.Value(body, subject))
}

// Rows are the figures of all subjects as a table for CSV, with a header.
func Rows(subject string, all []Figure, body any, names []string) [][]string {
	header := []string{subject}
	for i := range all {
		header = append(header, all[i].Name)
	}
	rows := [][]string{header}
	for i, name := range names {
		row := []string{name}
		for k := range all {
			row = append(row, csv.Number(all[k].Value(body, i)))
		}
		rows = append(rows, row)
	}
	return rows
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

// Labelled are the figures that tables have.
func Labelled(all []Figure) (shown []Figure) {
	for _, f := range all {
		if f.Label != "" {
			shown = append(shown, f)
		}
	}
	return shown
}

// Estimates are of each figure over the bodies of runs with one subject each. One that is
// undefined in a run is left out.
func Estimates[B any](all []Figure, bodies []B) map[string]Estimate {
	estimates := map[string]Estimate{}
	for i := range all {
		values := make([]float64, len(bodies))
		for k, body := range bodies {
			values[k] = float64(all[i].Value(body, 0))
		}
		if e := EstimateOf(values); e.N == len(bodies) && e.N > 0 {
			estimates[all[i].Name] = e
		}
	}
	return estimates
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
