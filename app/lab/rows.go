package lab

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/parameter"
	"berth/engine/show"
)

// Rows describes a list of the inputs that the user edits in a table, with a field in
// each cell.
type Rows[I Inputs[I], R any] struct {
	Lead    string // prefix of the ids of the fields: "qos-class-"
	TestID  string // data-testid of the table
	Tested  string // prefix of the data-testids of the fields: "pool-"; "" for none
	Caption string
	Thing   string             // singular for the rows: "class"
	Name    func(r *R) string  // name of a row; nil: its number from 1
	Unique  bool               // names must differ
	Same    func(a, b *R) bool // whether a dial of row a applies to row b of other inputs; nil: rows match by index
	Least   int                // minimum number of rows
	Columns []Column[R]
	Of      func(in I) []R
	Put     func(in I, all []R, i int) error // stores the list after row i changed, or refuses it; i is -1 after a removal
}

// Column is a column of [Rows]: text fields, lists or checkboxes.
type Column[R any] struct {
	Key, Name, Title string
	Unset            func(r *R) string // placeholder of an empty field; nil for none
	Text             func(r *R) string
	Set              func(r *R, text string) error
	Has              func(r *R) bool                          // whether a row has the field; nil: every row has it
	Choices          []string                                 // values of a list; nil for a text field
	Words            map[string]string                        // texts of the choices that differ from their values
	Switch           bool                                     // a checkbox; its text is true or false
	Number, Whole    bool                                     // the field may be pinned as a dial
	Range            func(all []R, i int) (low, high float64) // range of the dial; nil: from 0 up
	Else             *Column[R]                               // replaces the field in rows without it; nil: a disabled field
	OfRow            bool                                     // errors about a whole row appear at this field
}

// TextColumn is a column of texts. missing is the error about an empty text; "" if the
// text may be empty.
func TextColumn[R any](key, name, title, missing string, of func(r *R) *string) Column[R] {
	return Column[R]{Key: key, Name: name, Title: title, Text: func(r *R) string { return *of(r) }, Set: func(r *R, text string) error {
		*of(r) = strings.TrimSpace(text)
		if *of(r) == "" && missing != "" {
			return errors.New(missing)
		}
		return nil
	}}
}

// ColumnOf is the column of the parameter called name. An empty text sets the
// parameter's default, unless the parameter is required.
func ColumnOf[R any](key string, rows []parameter.Parameter, name string) Column[R] {
	p := parameter.Named(rows, name)
	c := Column[R]{Key: key, Name: ui.WithUnit(p.Title, p.Unit), Title: p.Hint, Unset: func(*R) string { return p.Usual },
		Switch: p.Switch, Number: p.Number(), Whole: p.Whole, Range: func([]R, int) (low, high float64) { return 0, p.High * p.Scale() },
		Text: func(r *R) string {
			if x, given := p.Get(r); given && p.Choices == nil {
				return p.Text(x)
			}
			return ""
		},
		Set: func(r *R, text string) error {
			if text == "" && !p.Required {
				return p.Set(r, nil)
			}
			x, err := ParseParameter(p, text)
			if err != nil {
				return err
			}
			return p.Set(r, x)
		}}
	if p.Choices != nil {
		c.Choices, c.Words, c.Text = p.Names(), map[string]string{}, func(r *R) string { return p.Named(r) }
		for _, choice := range p.Choices {
			c.Words[choice.Name] = choice.Title
		}
	}
	return c
}

// In returns a copy of the column whose field exists only in rows where has is true.
func (c Column[R]) In(has func(r *R) bool) Column[R] {
	c.Has = has
	return c
}

// Typed returns a copy of the column without dials for its numbers.
func (c Column[R]) Typed() Column[R] {
	c.Number = false
	return c
}

func (c *Column[R]) unset(r *R) string {
	if c.Unset == nil {
		return ""
	}
	return c.Unset(r)
}

// ID returns the id of the field in row i and the column with this key.
func (t *Rows[I, R]) ID(i int, key string) string { return fmt.Sprintf("%s%d-%s", t.Lead, i, key) }

// thing names a row in messages: "class gold".
func (t *Rows[I, R]) thing(i int, r *R) string {
	name := strconv.Itoa(i + 1)
	if t.Name != nil {
		name = t.Name(r)
	}
	return strings.TrimSpace(t.Thing + " " + name)
}

// Setter returns the setter of the field in row i and column c. The setter refuses a
// name that another row has, if Unique is set.
func (t *Rows[I, R]) Setter(i int, c *Column[R]) Setter[I] {
	return func(in I, text string) error {
		all := slices.Clone(t.Of(in))
		if i < 0 || i >= len(all) {
			return errors.New("there is no such row any more")
		}
		if err := c.Set(&all[i], text); err != nil {
			return err
		}
		if t.Unique && slices.ContainsFunc(slices.Delete(slices.Clone(all), i, i+1), func(r R) bool { return t.Name(&r) == t.Name(&all[i]) }) {
			return fmt.Errorf("there is a %s %q already", t.Thing, t.Name(&all[i]))
		}
		return t.Put(in, all, i)
	}
}

// Table draws the rows of a page, or all rows if page is nil. An empty table stays in the document,
// hidden: if it vanished, the elements after it would move up, and go-app would give the element
// under the pointer the handlers of another.
func (t *Rows[I, R]) Table(l *Lab[I], page *Pages) app.UI {
	var head, rows []app.UI
	for _, c := range t.Columns {
		head = append(head, app.Th().Scope("col").Title(c.Title).Body(ui.Explained(c.Name)...))
	}
	from, to := 0, len(t.Of(l.Inputs))
	if page != nil {
		from, to = page.Of(to)
	}
	for i := from; i < to; i++ {
		var cells []app.UI
		for k := range t.Columns {
			cells = append(cells, app.Td().Body(t.Field(l, i, &t.Columns[k])))
		}
		rows = append(rows, app.Tr().Body(append(cells, app.Td().Body(t.RemoveButton(l, i)))...))
	}
	head = append(head, app.Th().Scope("col").Body(app.Span().Class("visually-hidden").Text("remove")))
	return app.Div().Class("table fields-table").TabIndex(0).Role("region").Aria("label", t.Caption).Hidden(len(rows) == 0).Body(
		app.Table().DataSet("testid", t.TestID).Body(
			app.Caption().Class("visually-hidden").Text(t.Caption),
			app.THead().Body(app.Tr().Body(head...)),
			app.TBody().Body(rows...)))
}

// Field draws the control of row i in column c: a text field, a list or a checkbox. A row without
// the field gets the control of c.Else or, if there is none, a disabled control.
func (t *Rows[I, R]) Field(l *Lab[I], i int, c *Column[R]) app.UI {
	all := t.Of(l.Inputs)
	r := &all[i]
	id, label, set, has := t.ID(i, c.Key), c.Name+" of "+t.thing(i, r), t.Setter(i, c), c.Has == nil || c.Has(r)
	switch {
	case !has && c.Else != nil:
		return t.Field(l, i, c.Else)
	case c.Switch:
		return ui.Checkbox(id, c.Text(r) == "true", func(on bool) { l.Form.SetOption(id, label, strconv.FormatBool(on), set) }).
			Aria("label", show.Words(label))
	case c.Choices != nil:
		known, now := c.Choices, c.Text(r)
		if !slices.Contains(known, now) {
			known = append([]string{now}, known...) // a value that no longer exists elsewhere
		}
		options := ui.Options(len(known), func(i int) (value, text string) { return known[i], cmp.Or(c.Words[known[i]], known[i]) })
		list := ui.Select(id, now, func(text string) { l.Form.SetOption(id, label, text, set) }, options...)
		if c.Title != "" {
			list.Title(c.Title)
		}
		return list.Class("inline").Aria("label", show.Words(label)).Disabled(!has)
	}
	unset := c.unset(r)
	if !has {
		unset = "–"
	}
	input := app.Input().Type("text").Class("column-"+c.Key).Aria("label", show.Words(label)).Placeholder(unset).Disabled(!has)
	if t.Tested != "" {
		input.DataSet("testid", t.Tested+c.Key)
	}
	if c.OfRow {
		input = l.Form.Marked(t.Lead+strconv.Itoa(i), input)
	}
	entry := l.Form.Entry(id, label, input, c.Text(r), set)
	if d := t.dial(all, i, c, label); has && d.Low < d.High {
		return l.Dials.Pinnable(entry, d)
	}
	return entry
}

// dial makes a dial for a field. The dial has no range if the field cannot be pinned. If the field is
// empty, the dial starts at the number in its placeholder.
func (t *Rows[I, R]) dial(now []R, i int, c *Column[R], label string) Dial[I] {
	if !c.Number {
		return Dial[I]{}
	}
	row, place := now[i], func(I) int { return i } // without Same, the row keeps its index
	if t.Same != nil {
		place = func(in I) int { return slices.IndexFunc(t.Of(in), func(o R) bool { return t.Same(&row, &o) }) }
	}
	d := DialOf(t.ID(i, c.Key), label, c.Whole, func(in I) string {
		all, at := t.Of(in), place(in)
		if at < 0 || at >= len(all) {
			return noRow
		}
		return cmp.Or(c.Text(&all[at]), c.unset(&all[at]))
	}, func(in I, text string) error { return t.Setter(place(in), c)(in, text) })
	if c.Range != nil {
		d.Low, d.High = c.Range(now, i)
	}
	return d
}

// Labelled draws the field of row i in column c, labelled with the name of the column.
func (t *Rows[I, R]) Labelled(l *Lab[I], i int, c *Column[R]) app.UI {
	id, field := t.ID(i, c.Key), t.Field(l, i, c)
	if c.Switch {
		return app.Label().Class("check").For(id).Body(field, app.Span().Text(c.Name))
	}
	return ui.Field(id, c.Name, field)
}

// RemoveButton draws the button that removes row i. It is disabled if only Least rows
// are left.
func (t *Rows[I, R]) RemoveButton(l *Lab[I], i int) app.HTMLButton {
	all := t.Of(l.Inputs)
	button := ui.IconButton("trash", "Remove "+t.thing(i, &all[i])).OnClick(func(app.Context, app.Event) { t.Remove(l, i) }, app.EventScope(t.Lead, i))
	return ui.Disabled(button, len(all) <= t.Least)
}

// Remove removes row i, unless the row is gone already.
func (t *Rows[I, R]) Remove(l *Lab[I], i int) {
	all := slices.Clone(t.Of(l.Inputs))
	if i >= len(all) {
		return
	}
	l.Dials.Renumber(t.Lead)
	l.Edit("remove "+t.thing(i, &all[i]), func(in I) { _ = t.Put(in, slices.Delete(all, i, i+1), -1) })
}
