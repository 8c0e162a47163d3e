package chart

import "slices"

// Bar is a bar. Low and High bound its confidence interval; if they are equal, no interval is
// drawn.
type Bar struct {
	Label     string
	Value     float64
	Low, High float64
	Style     Style    // "" selects it by label
	Was       *float64 // value in the pinned result, drawn thin behind the bar; nil: none
	Paper     *float64 // number in the paper, drawn as a mark; nil: none
}

// Bars compares figures by horizontal bars that start at zero, with their values as text.
type Bars struct {
	Unit  string
	Items []Bar
}

func (b Bars) plot() plot {
	header := []string{"name", b.Unit, "low", "high"}
	if slices.ContainsFunc(b.Items, func(d Bar) bool { return d.Paper != nil }) {
		header = append(header, "paper")
	}
	return plot{header: header, cells: len(header) * len(b.Items), height: rowsHeight(len(b.Items), 24, nil), rows: func(add addRow) {
		for _, d := range b.Items {
			add([]any{d.Label, d.Value, d.Low, d.High, d.Paper}[:len(header)]...)
		}
	}}
}
