package scenario

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"berth/engine/figure"
	"berth/engine/show"
)

// Difference is the difference between two results of one kind, before and after a
// change.
type Difference struct {
	Kind     string
	Headline string         // "total cost 3 033 → 6 155 (+103 %): 4 jobs moved"
	Inputs   []string       // changes of the inputs, such as "price of eu 0.4 → 0.9"; nil if the inputs are unknown
	Metrics  []FigureChange // changes of the figures of common subjects
	Moved    []Move
}

// FigureChange is the figure of a subject in both results.
type FigureChange struct {
	Metric  string // name of the figure
	Title   string
	Unit    string        `json:"unit,omitempty"`
	Form    figure.Form   `json:"-"`
	Better  figure.Better `json:"-"`
	OfBound bool          `json:"-"` // see [figure.Figure]
	Subject string
	Before  figure.Number
	After   figure.Number
}

// Move is the move of an object to another place; "" is no place.
type Move struct {
	Subject string // name of the strategy
	Group   string // name of the deployment
	Thing   string // name of the job
	From    string
	To      string
}

// mover is a report body that assigns objects to places, such as jobs to clusters.
type mover interface {
	Moves(before ReportBody) []Move // moves for all common subjects
	Thing() string                  // name for a thing: "job"
}

// Compare returns the difference between two results. Both reports must be of one kind and have a
// body.
func Compare(before, after *Report) (*Difference, error) {
	kind, known := Lookup(after.Kind)
	switch {
	case before.Kind != after.Kind:
		return nil, fmt.Errorf("one result is of kind %q and the other of kind %q: compare results of one kind", before.Kind, after.Kind)
	case !known || before.Body == nil || after.Body == nil:
		return nil, fmt.Errorf("a result of kind %q has nothing to compare", after.Kind)
	}
	d := &Difference{Kind: after.Kind, Metrics: []FigureChange{}, Moved: []Move{}}
	was := before.Body.Subjects()
	for i, subject := range after.Body.Subjects() {
		if j := slices.Index(was, subject); j >= 0 {
			d.Metrics = append(d.Metrics, kind.changes(before.Body, j, after.Body, i)...)
		}
	}
	if b, ok := after.Body.(mover); ok {
		d.Moved = append(d.Moved, b.Moves(before.Body)...)
	}
	d.headline(kind, after.Body)
	return d, nil
}

// Between compares two subjects of one result by their indices; nil if one is missing.
func Between(r *Report, from, to int) []FigureChange {
	kind, known := Lookup(r.Kind)
	if !known || r.Body == nil || from < 0 || to < 0 {
		return nil
	}
	return kind.changes(r.Body, from, r.Body, to)
}

// changes compares the figures of subject j of one result with subject i of another.
func (k *Kind) changes(before ReportBody, j int, after ReportBody, i int) (all []FigureChange) {
	was, is := before.Subject(j), after.Subject(i)
	for _, m := range k.Figures {
		if m.OfRun {
			continue
		}
		c := FigureChange{Metric: m.Name, Title: m.In(before, after), Unit: m.Unit, Form: m.Form, Better: m.Better, OfBound: m.OfBound, Subject: after.Subjects()[i],
			Before: m.Of(was), After: m.Of(is)}
		if c.Before.Defined() || c.After.Defined() {
			all = append(all, c)
		}
	}
	return all
}

// headline describes the first metric of the first common subject and the number of moves. If
// objects do not move, it describes the first metric that changed.
func (d *Difference) headline(kind *Kind, body ReportBody) {
	if len(d.Metrics) == 0 {
		d.Headline = "nothing to compare: " + strings.Join(body.Subjects(), ", ") + " did not run before"
		return
	}
	b, ok := body.(mover)
	if !ok {
		c := d.leading(kind.Headline)
		d.Headline = c.Subject + ": " + c.sentence()
		return
	}
	c := &d.Metrics[0]
	moved := 0
	for _, m := range d.Moved {
		if m.Subject == c.Subject {
			moved++
		}
	}
	d.Headline = c.sentence() + ": " + show.Grouped(moved, b.Thing()) + " moved"
}

// leading returns the first of the named metrics of the first subject that has changed, or the
// first named metric if none has.
func (d *Difference) leading(names []string) *FigureChange {
	var first *FigureChange
	for _, name := range names {
		i := slices.IndexFunc(d.Metrics, func(c FigureChange) bool { return c.Metric == name && c.Subject == d.Metrics[0].Subject })
		if i < 0 {
			continue
		}
		if !d.Metrics[i].same() {
			return &d.Metrics[i]
		}
		first = cmp.Or(first, &d.Metrics[i])
	}
	return cmp.Or(first, &d.Metrics[0])
}

func (c *FigureChange) sentence() string {
	return inSentence(c.Title) + " " + c.String()
}

func (c *FigureChange) same() bool { return c.Before == c.After }

// String returns "3 033 → 6 155 (+103 %)", or only the value if it is unchanged.
func (c *FigureChange) String() string {
	after := withUnit(c.text(c.After), c.Unit)
	if c.same() {
		return after + ", as before"
	}
	text := c.text(c.Before) + " → " + after
	if change := c.Change(); change != "" {
		text += " (" + change + ")"
	}
	return text
}

// text writes a figure of the change.
func (c *FigureChange) text(x figure.Number) string {
	if c.Form == figure.Part && x.Defined() {
		return show.Percent(float64(x))
	}
	return figureText(x)
}

// Change describes the change in the unit of the form: "−3.2 percentage points" for a fraction,
// otherwise [FigureChange.Percent].
func (c *FigureChange) Change() string {
	switch {
	case c.Form != figure.Part:
		return c.Percent()
	case !c.Before.Defined() || !c.After.Defined() || c.same():
		return ""
	}
	return signed(100*float64(c.After-c.Before)) + " percentage points"
}

// Percent returns the relative change, "+103 %"; "" if it is undefined.
func (c *FigureChange) Percent() string {
	if !c.Before.Defined() || !c.After.Defined() || c.Before == 0 || c.same() {
		return ""
	}
	p := 100 * float64(c.After/c.Before-1)
	if p > -100 {
		p = max(p, -99.9) // −100 % means 0
	}
	return signed(p) + "\u202f%"
}

// signed writes a change with its sign.
func signed(x float64) string {
	if x < 0 {
		return figureText(figure.Number(x))
	}
	return "+" + show.Figure(x)
}

// figureText writes a figure; "none" if it is undefined.
func figureText(x figure.Number) string {
	if !x.Defined() {
		return "none"
	}
	return withMinus(float64(x), show.Figure)
}

// withMinus writes a number with a minus sign instead of a hyphen.
func withMinus(x float64, write func(float64) string) string {
	if x < 0 {
		return "−" + write(-x)
	}
	return write(x)
}

// WriteText writes the difference as text for people.
func (d *Difference) WriteText(w io.Writer) {
	fmt.Fprintln(w, d.Headline)
	if len(d.Inputs) > 0 {
		fmt.Fprint(w, "\ninputs\n")
		for _, line := range d.Inputs {
			fmt.Fprintln(w, "  "+line)
		}
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "subject\tmetric\tbefore\tafter\tchange\n")
	for i := range d.Metrics {
		c := &d.Metrics[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", show.Text(c.Subject), c.Title, c.Form.Text(c.Before), c.Form.Text(c.After), c.Change())
	}
	t.Flush()
	if len(d.Moved) == 0 {
		return
	}
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "subject\tin\tmoved\tfrom\tto\n")
	for _, m := range d.Moved {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", show.Text(m.Subject), show.Text(m.Group), show.Text(m.Thing), show.Text(cmp.Or(m.From, nowhere)), show.Text(cmp.Or(m.To, nowhere)))
	}
	t.Flush()
}

const nowhere = "not placed"
