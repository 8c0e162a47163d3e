package graph

import "math"

// Elements holds all elements of one kind in a graph: their names, and their labels and attributes
// in columns.
type Elements struct {
	kind    ElementKind
	ids     []string // DOT ids; nil for dependencies and links
	drawn   []Drawn
	columns []labels // by label type

	attributes []attribute
	count      int
}

// Drawn is the text shown on an element in a drawing.
type Drawn struct {
	Text  string // may contain Graphviz's escapes, such as \n
	HTML  bool   // Text is markup, in angle brackets in DOT
	Given bool   // if false, a node shows its id and an edge nothing; if true, an empty Text is shown as empty
}

// labels has the figures of one label type: fields[f][i] is field f of element i, NaN
// if the element lacks the label.
type labels struct {
	fields [][]float64
	count  int
}

// Len returns the number of elements.
func (e *Elements) Len() int { return e.count }

// Kind returns the kind of the elements.
func (e *Elements) Kind() ElementKind { return e.kind }

// ID returns the DOT id of job or cluster i.
func (e *Elements) ID(i int) string { return e.ids[i] }

// Name returns the name of element i for use in texts: its drawn text, or its id if there is none.
func (e *Elements) Name(i int) string {
	if e.drawn[i].Text == "" && e.ids != nil {
		return e.ids[i]
	}
	return e.drawn[i].Text
}

// SetName sets the name of element i; "" removes it.
func (e *Elements) SetName(i int, name string) { e.drawn[i] = Drawn{Text: name, Given: name != ""} }

// Drawn returns the text shown on element i in a drawing.
func (e *Elements) Drawn(i int) Drawn { return e.drawn[i] }

// SetDrawn sets the text shown on element i in a drawing.
func (e *Elements) SetDrawn(i int, d Drawn) { e.drawn[i] = d }

// Has reports whether element i carries the label.
func (e *Elements) Has(t *LabelType, i int) bool {
	return t.index < len(e.columns) && e.columns[t.index].count > 0 && !math.IsNaN(e.columns[t.index].fields[0][i])
}

// Carriers returns the number of elements with the label.
func (e *Elements) Carriers(t *LabelType) int {
	if t.index >= len(e.columns) {
		return 0
	}
	return e.columns[t.index].count
}

// Column returns one field of a label for all elements, with NaN for elements without the label;
// nil if no element has it. Callers must not change the slice.
func (e *Elements) Column(t *LabelType, field int) []float64 {
	if e.Carriers(t) == 0 {
		return nil
	}
	return e.columns[t.index].fields[field]
}

// Values returns the figures of a label of element i, one for each field of the type;
// nil if the element lacks the label.
func (e *Elements) Values(t *LabelType, i int) []float64 {
	if !e.Has(t, i) {
		return nil
	}
	values := make([]float64, len(t.Fields))
	for f := range values {
		values[f] = e.columns[t.index].fields[f][i]
	}
	return values
}

// Labels returns the labels of element i.
func (e *Elements) Labels(i int) []Label {
	var labels []Label
	for _, t := range Labels(e.kind) {
		if values := e.Values(t, i); values != nil {
			labels = append(labels, Label{t, values})
		}
	}
	return labels
}

// SetLabel sets or replaces a label of element i. values has one figure for each field of the type,
// in its order.
func (e *Elements) SetLabel(t *LabelType, i int, values []float64) {
	for len(e.columns) <= t.index {
		e.columns = append(e.columns, labels{})
	}
	c := &e.columns[t.index]
	if c.fields == nil {
		c.fields = make([][]float64, len(t.Fields))
	}
	if !e.Has(t, i) {
		c.count++
	}
	for f := range c.fields {
		for len(c.fields[f]) < e.count {
			c.fields[f] = append(c.fields[f], math.NaN())
		}
		c.fields[f][i] = values[f]
	}
}

// Set is SetLabel by the name of the label. It panics if no label type with that name is
// registered.
func (e *Elements) Set(i int, label string, values ...float64) {
	e.SetLabel(Lookup(e.kind, label), i, values)
}

func (e *Elements) add(id string) int {
	if e.kind == Job || e.kind == Cluster {
		e.ids = append(e.ids, id)
	}
	e.drawn = append(e.drawn, Drawn{})
	e.count++
	for t := range e.columns {
		c := &e.columns[t]
		for f := range c.fields {
			c.fields[f] = append(c.fields[f], math.NaN())
		}
	}
	return e.count - 1
}

// clear removes all labels of element i.
func (e *Elements) clear(i int) {
	for t := range e.columns {
		c := &e.columns[t]
		if c.count == 0 || math.IsNaN(c.fields[0][i]) {
			continue
		}
		c.count--
		for f := range c.fields {
			c.fields[f][i] = math.NaN()
		}
	}
}
