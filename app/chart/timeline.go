package chart

// Interval is a bar of a [Timeline]: it is prepared (hatched) from Start to Run and runs (solid)
// from Run to End. An interval that is still running ends with the timeline.
type Interval struct {
	ID              int
	Row             int   // index in the timeline's Rows
	Lane            int32 // within its row, from 0
	Label           string
	Series          string // a class, which has its own style
	Start, Run, End float64
}

// Event is an event at a moment. A player steps from one event to the next.
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
	Series    Names             // of all intervals, in legend order
	Intervals Columns[Interval] // by start
	Events    Columns[Event]    // by time; if empty, the steps are the starts, runs and ends of bars

	// Seek moves the cursor whenever it changes. At first the cursor is at the end, so that the
	// whole run is visible.
	Seek float64
}

func (t Timeline) plot() plot {
	return plot{header: []string{"row", "id", "name", "series", "start", "run", "end"}, cells: 7 * len(t.Intervals), rows: func(add addRow) {
		for _, d := range t.Intervals {
			add(t.Rows[d.Row], d.ID, d.Label, d.Series, d.Start, d.Run, d.End)
		}
	}}
}
