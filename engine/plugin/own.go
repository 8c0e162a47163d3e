package plugin

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Own collects a plug-in's own counters and notes about a run.
type Own struct {
	Counters []Counter `json:"counters,omitempty"` // in the order of their first count
	Notes    []string  `json:"notes,omitempty"`
}

// Counter counts how often something happened.
type Counter struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
}

// most limits the counters, and the notes, of one run.
const most = 20

// Count adds by to the counter with a name. The name is shown to people: "tries of a worker".
func (o *Own) Count(name string, by int64) {
	i := slices.IndexFunc(o.Counters, func(c Counter) bool { return c.Name == name })
	switch {
	case i >= 0:
		o.Counters[i].Value += by
	case len(o.Counters) < most:
		o.Counters = append(o.Counters, Counter{name, by})
	}
}

// Note adds a note that explains the figures to the reader. A repeated note is kept once.
func (o *Own) Note(text string) {
	if len(o.Notes) < most && !slices.Contains(o.Notes, text) {
		o.Notes = append(o.Notes, text)
	}
}

// Add adds the counters and notes of another part of the run.
func (o *Own) Add(part *Own) {
	for _, c := range part.Counters {
		o.Count(c.Name, c.Value)
	}
	for _, text := range part.Notes {
		o.Note(text)
	}
}

// Counter returns the value of a counter; ok is false if there is none.
func (o *Own) Counter(name string) (value int64, ok bool) {
	for _, c := range o.Counters {
		if c.Name == name {
			return c.Value, true
		}
	}
	return 0, false
}

// Shown formats a counter, a dash if there is none.
func (o *Own) Shown(name string) string {
	if value, ok := o.Counter(name); ok {
		return strconv.FormatInt(value, 10)
	}
	return "–"
}

// WriteText writes all counters on one line, or nothing if there are none.
func (o *Own) WriteText(w io.Writer, indent string) {
	for i, c := range o.Counters {
		if i == 0 {
			fmt.Fprint(w, indent+"counted: ")
		} else {
			fmt.Fprint(w, ", ")
		}
		fmt.Fprintf(w, "%s %d", c.Name, c.Value)
	}
	if len(o.Counters) > 0 {
		fmt.Fprintln(w)
	}
}

// Names returns the names of the counters of several runs, each once.
func Names(all []*Own) []string {
	var names Own
	for _, o := range all {
		names.Add(&Own{Counters: o.Counters})
	}
	list := make([]string, len(names.Counters))
	for i, c := range names.Counters {
		list[i] = c.Name
	}
	return list
}
