package chart

// Lives shows every request over time: a strip for each, which runs, waits or is preempted, in a
// band for each class and a panel for each policy. Next to the strip is the availability that the
// request reached, with a mark at the SLO. If strips are thinner than a pixel, each line of pixels
// is the mean of several strips.
type Lives struct {
	XLabel   string // "time (s)"
	Controls string // id of the element for the player; "": above the drawing
	Follows  bool   // has no player; follows the player of another drawing
	Panels   []Panel
	Bands    []Band
	Items    Columns[Life]  // in drawing order
	Events   Columns[Event] // by time

	// Seek moves the cursor whenever it changes; at first the cursor is at the end.
	Seek float64
}

// Panel is a separate part of the drawing: a policy.
type Panel struct {
	Name string
	Says string // summary of its result: "160 of 256 met their SLO"
}

// Band is a class in each panel.
type Band struct {
	Name  string
	Style Style   // "" selects it by name
	Limit float64 // SLO
}

// Life is a request under a policy. Outside its spans it waits.
type Life struct {
	ID          int // for the page
	Panel, Band int
	Label       string
	Reached     float64 // availability
	Arrival     float64
	Spans       []Span // by time
}

// Span is a time in which a request runs or is preempted.
type Span struct {
	From, To  float64
	Preempted bool
}

func (l Lives) plot() plot {
	n := 0
	for _, d := range l.Items {
		n += len(d.Spans)
	}
	return plot{header: []string{"policy", "class", "request", "availability", "runs from", "to"}, cells: 6 * n, rows: func(add addRow) {
		for _, d := range l.Items {
			for _, s := range d.Spans {
				if !s.Preempted {
					add(l.Panels[d.Panel].Name, l.Bands[d.Band].Name, "request "+d.Label, d.Reached, s.From, s.To)
				}
			}
		}
	}}
}
