package chart

// Stack is a bar of parts, with one value for each of its chart's Parts.
type Stack struct {
	Label  string
	Values []float64
}

// Stacks compares sums as horizontal bars divided into their parts, such as the components of each
// scheduler's allocation time.
type Stacks struct {
	Unit   string
	Parts  Parts
	Items  []Stack
	Shares bool // each part as a share of its bar
}

func (s Stacks) plot() plot {
	header := append(append([]string{"name"}, s.Parts...), "sum ("+s.Unit+")")
	return plot{header: header, cells: len(header) * len(s.Items), height: rowsHeight(len(s.Items), 28, s.Parts), rows: func(add addRow) {
		for _, item := range s.Items {
			row, sum := []any{item.Label}, 0.0
			for _, v := range item.Values {
				row, sum = append(row, v), sum+v
			}
			add(append(row, sum)...)
		}
	}}
}
