package chart

import (
	"slices"

	"berth/app/ui"
)

// Interval is a bar of a [Timeline]: it is prepared (hatched) from Start to Run and runs (solid)
// from Run to End. An interval that is still running ends with the timeline.
type Interval struct {
	ID              int
	Row             int   // index in Rows of the timeline
	Lane            int32 // of its row, from 0
	Label           string
	Series          string // a class, which has its own style
	Start, Run, End float64
}

// Event is an event at a moment; a player steps from one event to the next.
type Event struct {
	ID   int
	Time float64
	At   int // row of a [Timeline] or cell of [Cells]; −1: neither
	Text string
	// Sends is the message of an event in [Cells].
	Sends Message
}

// Pick is the thing that the user clicked, or chose with Enter.
type Pick struct {
	Event bool // an event, else an interval or a cell
	ID    int  // its ID, or the index of the cell
}

// Timeline shows the instances on each host over time: a row for each host, with a bar for each
// instance, in lanes. Buttons and keys play, pause and step its cursor.
type Timeline struct {
	XLabel    string // "time (s)"
	Rows      []string
	Series    []string   // in legend order; other series follow as they occur
	Intervals []Interval // by start
	Events    []Event    // by time; if empty, the steps are the starts, runs and ends of bars

	// Seek moves the cursor whenever it changes. At first the cursor is at the end, so that the
	// whole run is visible.
	Seek float64
}

func (t Timeline) plot() plot {
	return plot{draw: "timeline", spec: t.spec, header: []string{"row", "id", "name", "series", "start", "run", "end"}, rows: t.rows, cells: 7 * len(t.Intervals)}
}

func (t Timeline) spec() map[string]any {
	var series []map[string]any
	places := map[string]int{}
	place := func(name string) int {
		if _, known := places[name]; !known {
			places[name] = len(places)
			series = append(series, named(name, "", places[name]))
		}
		return places[name]
	}
	for _, name := range t.Series {
		place(name)
	}
	var times []float64
	kinds := column(t.Intervals, func(d Interval) int32 {
		times = append(times, d.Start, d.Run, d.End)
		return int32(place(d.Series))
	})
	lanes := slices.Repeat([]int32{1}, len(t.Rows))
	for _, d := range t.Intervals {
		lanes[d.Row] = max(lanes[d.Row], d.Lane+1)
	}
	return map[string]any{
		"xLabel": t.XLabel, "rows": t.Rows, "series": series, "seek": t.Seek,
		"kind": kinds, "times": times, "lanes": lanes,
		"lane":   column(t.Intervals, func(d Interval) int32 { return d.Lane }),
		"ids":    column(t.Intervals, func(d Interval) int32 { return int32(d.ID) }),
		"row":    column(t.Intervals, func(d Interval) int32 { return int32(d.Row) }),
		"labels": column(t.Intervals, func(d Interval) string { return d.Label }),
		"events": events(t.Events),
	}
}

func events(list []Event) map[string]any {
	return map[string]any{
		"ids":   column(list, func(e Event) int32 { return int32(e.ID) }),
		"at":    column(list, func(e Event) int32 { return int32(e.At) }),
		"times": column(list, func(e Event) float64 { return e.Time }),
		"texts": column(list, func(e Event) string { return e.Text }),
	}
}

func (t Timeline) rows() [][]string {
	return column(t.Intervals, func(d Interval) []string {
		return []string{t.Rows[d.Row], ui.Exact(float64(d.ID)), d.Label, d.Series, ui.Exact(d.Start), ui.Exact(d.Run), ui.Exact(d.End)}
	})
}
