package scenario

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"berth/engine/plural"
	"berth/engine/show"
)

// Difference is what differs between two results of one kind, one before a change
// and one after it.
type Difference struct {
	Kind     string         `json:"kind"`
	Headline string         `json:"headline"` // "total cost 3 033 → 6 155 (+103 %): 4 jobs moved"
	Inputs   []string       `json:"inputs"`   // what was changed: "price of eu 0.4 → 0.9"; nil where the inputs are not known
	Metrics  []MetricChange `json:"metrics"`  // of the subjects that both results have
	Moved    []Move         `json:"moved"`
}

// MetricChange is a metric of a subject in both results, nil where it is not
// defined.
type MetricChange struct {
	Metric  string   `json:"metric"` // its name
	Title   string   `json:"title"`
	Unit    string   `json:"unit,omitempty"`
	Better  Better   `json:"-"`
	Subject string   `json:"subject"`
	Before  *float64 `json:"before"`
	After   *float64 `json:"after"`
}

// Move is something that stands elsewhere than before; "" is nowhere.
type Move struct {
	Subject string `json:"subject"` // the strategy
	Group   string `json:"group"`   // the deployment
	Thing   string `json:"thing"`   // the job
	From    string `json:"from"`
	To      string `json:"to"`
}

// mover is a body whose things stand somewhere.
type mover interface {
	Moves(before ReportBody) []Move // of all subjects that both have
	Thing() string                  // what moves: "job"
}

// Compare says what differs between two results.
func Compare(before, after *Report) (*Difference, error) {
	kind, known := Lookup(after.Kind)
	switch {
	case before.Kind != after.Kind:
		return nil, fmt.Errorf("one result is of kind %q and the other of kind %q: only results of one kind can be compared", before.Kind, after.Kind)
	case !known || before.Body == nil || after.Body == nil:
		return nil, fmt.Errorf("a result of kind %q has nothing to compare", after.Kind)
	}
	d := &Difference{Kind: after.Kind, Metrics: []MetricChange{}, Moved: []Move{}}
	was := before.Body.Subjects()
	for i, subject := range after.Body.Subjects() {
		j := slices.Index(was, subject)
		if j < 0 {
			continue
		}
		for _, m := range kind.Metrics {
			if m.OfRun {
				continue
			}
			title := m.titleIn(before.Body, after.Body)
			x, before := m.Value(before.Body, j)
			y, after := m.Value(after.Body, i)
			c := MetricChange{Metric: m.Name, Title: title, Unit: m.Unit, Better: m.Better, Subject: subject}
			if before {
				c.Before = &x
			}
			if after {
				c.After = &y
			}
			if before || after {
				d.Metrics = append(d.Metrics, c)
			}
		}
	}
	if b, ok := after.Body.(mover); ok {
		d.Moved = append(d.Moved, b.Moves(before.Body)...)
	}
	d.headline(kind, after.Body)
	return d, nil
}

// headline tells the first metric of the first subject that both results have, and
// how much of it moved; where nothing moves, the most telling one.
func (d *Difference) headline(kind *Kind, body ReportBody) {
	if len(d.Metrics) == 0 {
		d.Headline = "the results have nothing in common: " + strings.Join(body.Subjects(), ", ") + " did not run before"
		return
	}
	b, ok := body.(mover)
	if !ok {
		c := d.telling(kind.Headline)
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
	d.Headline = c.sentence() + ": " + plural.Counted(moved, b.Thing()) + " moved"
}

// telling is the first of the named metrics of the first subject that has changed, or
// the first of them where none has.
func (d *Difference) telling(names []string) *MetricChange {
	var first *MetricChange
	for _, name := range names {
		i := slices.IndexFunc(d.Metrics, func(c MetricChange) bool { return c.Metric == name && c.Subject == d.Metrics[0].Subject })
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

func (c *MetricChange) sentence() string {
	return strings.ToLower(c.Title[:1]) + c.Title[1:] + " " + c.String()
}

func (c *MetricChange) same() bool { return c.Before != nil && c.After != nil && *c.Before == *c.After }

// String is "3 033 → 6 155 (+103 %)", or what it is if it has not changed.
func (c *MetricChange) String() string {
	unit := ""
	if c.Unit != "" {
		unit = "\u202f" + c.Unit
	}
	if c.same() {
		return figure(c.After) + unit + ", as before"
	}
	text := figure(c.Before) + " → " + figure(c.After) + unit
	if p := c.Percent(); p != "" {
		text += " (" + p + ")"
	}
	return text
}

// Percent is the change as a part of what was before: "+103 %"; "" where that says
// nothing.
func (c *MetricChange) Percent() string {
	if c.Before == nil || c.After == nil || *c.Before == 0 || *c.Before == *c.After {
		return ""
	}
	p := 100 * (*c.After / *c.Before - 1)
	sign := "+"
	if p < 0 {
		sign = "−"
	}
	return sign + short(math.Abs(p)) + "\u202f%"
}

// figure writes a value for people, "none" where there is none.
func figure(x *float64) string {
	switch {
	case x == nil:
		return "none"
	case *x < 0:
		return "−" + short(-*x)
	}
	return short(*x)
}

// short has three significant digits, and all of the whole part.
func short(x float64) string {
	digits := 0
	if x != 0 && x < 1000 {
		digits = max(0, 2-int(math.Floor(math.Log10(x))))
	}
	text := strconv.FormatFloat(x, 'f', min(digits, 9), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return plural.Group(text)
}

// WriteText writes the difference for people.
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
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", show.Text(c.Subject), c.Title, Digits(c.Before), Digits(c.After), c.Percent())
	}
	t.Flush()
	if len(d.Moved) == 0 {
		return
	}
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "subject\tin\tmoved\tfrom\tto\n")
	for _, m := range d.Moved {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", show.Text(m.Subject), show.Text(m.Group), show.Text(m.Thing), place(m.From), place(m.To))
	}
	t.Flush()
}

func place(name string) string {
	if name == "" {
		return "not placed"
	}
	return show.Text(name)
}

// mostChanges bounds the lines about inputs.
const mostChanges = 40

// Changes says what was changed from one scenario to another: "seed 1 → 2". What
// is in their texts the kind knows, or else how many lines differ.
func Changes(before, after Scenario) []string {
	if before.Body == nil || after.Body == nil || before.Kind != after.Kind {
		return []string{"the scenarios are of different kinds"}
	}
	var lines []string
	a, b := before.Clone(), after.Clone()
	texts := map[string]*Source{}
	for _, slot := range a.Slots() {
		s := *slot.Source
		texts[slot.Name] = &s
		slot.Source.Text = ""
	}
	for _, slot := range b.Slots() {
		s := *slot.Source
		slot.Source.Text = ""
		if was := texts[slot.Name]; was != nil && was.Text != s.Text && was.Text != "" && s.Text != "" {
			lines = append(lines, textChanges(after.Body, slot.Name, was, &s)...)
		}
	}
	lines = append(lines, treeChanges("", tree(a.Body), tree(b.Body))...)
	if more := len(lines) - mostChanges; more > 0 {
		lines = append(lines[:mostChanges], "and "+plural.Of(more, "more change"))
	}
	for i := range lines {
		lines[i] = show.Text(lines[i])
	}
	return lines
}

// differing is a document that knows what its texts say.
type differing interface {
	TextChanges(slot string, before, after *Source) ([]string, bool)
}

func textChanges(body Document, slot string, before, after *Source) []string {
	if d, ok := body.(differing); ok {
		if lines, ok := d.TextChanges(slot, before, after); ok {
			return lines
		}
	}
	return lineChanges(after.Name, before.Text, after.Text)
}

// lineChanges counts the lines that one text has and the other has not; a single
// one is shown.
func lineChanges(name, before, after string) []string {
	count := map[string]int{}
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, line := range was {
		count[line]++
	}
	var added, gone []string
	for _, line := range is {
		count[line]--
		if count[line] < 0 {
			added = append(added, line)
		}
	}
	for _, line := range was {
		if count[line] > 0 {
			count[line]--
			gone = append(gone, line)
		}
	}
	switch {
	case len(added) == 1 && len(gone) == 1:
		return []string{fmt.Sprintf("%s: line %s → %s", name, show.Quote(gone[0]), show.Quote(added[0]))}
	case len(added)+len(gone) == 0:
		return []string{name + ": the same lines in another order"}
	}
	return []string{fmt.Sprintf("%s: %s gone, %d new", name, plural.Of(len(gone), "line"), len(added))}
}

// tree is a document as JSON has it.
func tree(d Document) any {
	data, err := json.Marshal(d)
	if err != nil {
		return nil
	}
	var t any
	r := json.NewDecoder(bytes.NewReader(data))
	r.UseNumber()
	_ = r.Decode(&t) // was just written
	return t
}

// treeChanges lists the values that differ, by the words of their path.
func treeChanges(path string, before, after any) []string {
	under := func(word string) string { return strings.TrimSpace(path + " " + word) }
	switch a := before.(type) {
	case map[string]any:
		b, ok := after.(map[string]any)
		if !ok {
			break
		}
		keys := map[string]bool{}
		for key := range a {
			keys[key] = true
		}
		for key := range b {
			keys[key] = true
		}
		var lines []string
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			lines = append(lines, treeChanges(under(key), a[key], b[key])...)
		}
		return lines
	case []any:
		b, ok := after.([]any)
		if !ok || len(a) != len(b) || !objects(a) || !objects(b) {
			break
		}
		var lines []string
		for i := range a {
			word := strconv.Itoa(i + 1)
			if name, ok := b[i].(map[string]any)["name"].(string); ok && name == a[i].(map[string]any)["name"] {
				word = name
			}
			lines = append(lines, treeChanges(under(word), a[i], b[i])...)
		}
		return lines
	}
	if x, y := word(before), word(after); x != y {
		return []string{under(x + " → " + y)}
	}
	return nil
}

func objects(list []any) bool {
	return !slices.ContainsFunc(list, func(x any) bool { _, ok := x.(map[string]any); return !ok })
}

// word writes a value in short.
func word(x any) string {
	switch x := x.(type) {
	case nil:
		return "default"
	case map[string]any:
		if name, ok := x["name"].(string); ok {
			return name
		}
	case []any:
		words := make([]string, len(x))
		for i, y := range x {
			words[i] = word(y)
		}
		return strings.Join(words, ", ")
	case string:
		return x
	}
	data, _ := json.Marshal(x)
	return string(data)
}
