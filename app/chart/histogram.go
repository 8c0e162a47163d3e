package chart

// Counts are the heights of the bins of a series.
type Counts struct {
	Name   string
	Style  Style // "" selects it by name, else by position
	Values []float64
	Behind bool // of the pinned result: drawn thin
}

// Histogram shows the frequency of figures in bins, with the series as overlaid outlines. Bin i
// goes from Edges[i] to Edges[i+1], so there is one edge more than bins.
type Histogram struct {
	XLabel, YLabel string
	Edges          []float64
	Series         []Counts
}

func (h Histogram) plot() plot {
	bins, header := max(0, len(h.Edges)-1), []string{h.XLabel + " from", "to"}
	for _, s := range h.Series {
		header = append(header, s.Name)
	}
	return plot{header: header, cells: len(header) * bins, height: wideHeight(header[2:]), rows: func(add addRow) {
		for i := range bins {
			row := []any{h.Edges[i], h.Edges[i+1]}
			for _, s := range h.Series {
				row = append(row, s.Values[i])
			}
			add(row...)
		}
	}}
}
