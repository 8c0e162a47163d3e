package chart

// Point is a point of a [Series]. Low and High bound its confidence interval; if they are equal, no
// interval is drawn.
type Point struct{ X, Y, Low, High float64 }

// At returns a point without an interval.
func At(x, y float64) Point { return Point{X: x, Y: y, Low: y, High: y} }

// Series is a sequence of points. Points that a line joins must be in the order of X.
type Series struct {
	Name    string
	Style   Style // "" selects it by name, else by position
	Points  Columns[Point]
	Variant int  // selects the dash among series of one style
	Behind  bool // of the pinned result: drawn thin
}

// OverPinned returns the series of the pinned result, marked as such, followed by the shown series.
func OverPinned(pinned, shown []Series) []Series {
	for i := range pinned {
		pinned[i].Name, pinned[i].Behind = PinnedName(pinned[i].Name), true
	}
	return append(pinned, shown...)
}

// PinnedName returns the name of a series of the pinned result.
func PinnedName(name string) string { return name + " (pinned)" }

// Guide is a horizontal line across a chart: an SLO, a capacity.
type Guide struct {
	Label string
	Value float64
}

// Lines shows how figures depend on a quantity. Each series has its own colour, dash and symbol.
// For an empirical distribution, set Steps and Plain, and LogX if it has a long tail.
type Lines struct {
	XLabel, YLabel string
	Series         []Series
	Rules          []Guide
	Published      Columns[Point] // numbers of a paper, drawn as marks

	Plain bool // lines without symbols, for many points
	Steps bool // the value of a point holds until the next one
	LogX  bool // logarithmic; points at or below zero are not drawn
	LogY  bool // like LogX
}

func (l Lines) plot() plot {
	n := len(l.Published)
	var names []string
	for _, s := range l.Series {
		names = append(names, s.Name)
		n += len(s.Points)
	}
	return plot{header: []string{"series", l.XLabel, l.YLabel, "low", "high"}, cells: 5 * n, height: wideHeight(names), rows: func(add addRow) {
		for _, p := range l.Published {
			add("paper", p.X, p.Y, "", "")
		}
		for _, s := range l.Series {
			for _, p := range s.Points {
				add(s.Name, p.X, p.Y, p.Low, p.High)
			}
		}
	}}
}
