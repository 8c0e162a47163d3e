package chart

import "slices"

// Layer is a part of a whole over time, with one value for each X of its chart.
type Layer struct {
	Name   string
	Style  Style // "" selects it by name, else by position
	Values []float64
}

// Areas shows parts of a whole over time as stacked areas, such as demand by class. Outlines are
// stacked separately and drawn as lines above the areas, such as requested demand above allocated
// demand.
type Areas struct {
	XLabel, YLabel string
	X              []float64
	Layers         []Layer
	Outlines       []Layer
	Rules          []Guide
	Steps          bool // a value holds until the next X

	// FilledAs and OutlinedAs describe areas and outlines in the legend and the table: "allocated"
	// and "requested".
	FilledAs, OutlinedAs string
}

func (a Areas) plot() plot {
	header := []string{a.XLabel}
	for _, l := range a.Layers {
		header = append(header, qualified(l.Name, a.FilledAs))
	}
	for _, l := range a.Outlines {
		header = append(header, qualified(l.Name, a.OutlinedAs))
	}
	return plot{header: header, cells: len(header) * len(a.X), height: wideHeight(header[1:]), rows: func(add addRow) {
		for i, x := range a.X {
			row := []any{x}
			for _, l := range slices.Concat(a.Layers, a.Outlines) {
				row = append(row, l.Values[i])
			}
			add(row...)
		}
	}}
}

func qualified(name, as string) string {
	if as == "" {
		return name
	}
	return name + " " + as
}
