package plugin

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Own is what a plug-in tells of a run in words of its own.
type Own struct {
	Counters []Counter `json:"counters,omitempty"` // in the order in which they were first counted
	Notes    []string  `json:"notes,omitempty"`
}

// Counter is how often something happened.
type Counter struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
}

// most is how many counters and notes of one run are kept.
const most = 20

// Count adds to the counter of a name, which a person could read: "tries of a worker".
func (o *Own) Count(name string, by int64) {
	i := slices.IndexFunc(o.Counters, func(c Counter) bool { return c.Name == name })
	switch {
	case i >= 0:
		o.Counters[i].Value += by
	case len(o.Counters) < most:
		o.Counters = append(o.Counters, Counter{name, by})
	}
}

// Note tells a reader something that explains the figures, once.
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

// Counter returns the counter of a name, if there is one.
func (o *Own) Counter(name string) (value int64, ok bool) {
	for _, c := range o.Counters {
		if c.Name == name {
			return c.Value, true
		}
	}
	return 0, false
}

// Shown writes a counter as text, a dash if there is none.
func (o *Own) Shown(name string) string {
	if value, ok := o.Counter(name); ok {
		return strconv.FormatInt(value, 10)
	}
	return "–"
}

// WriteText writes the counters on a line, if there are any.
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

// Names lists the counters of several runs.
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
