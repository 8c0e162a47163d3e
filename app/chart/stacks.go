package chart

import (
	"berth/app/ui"
)

// Stack is a bar of parts, with one value for each of its chart's Parts.
type Stack struct {
	Label  string
	Values []float64
}

// Stacks compares sums by horizontal bars divided into their parts: the components of the
// allocation time of each scheduler.
type Stacks struct {
	Unit   string
	Parts  Parts
	Items  []Stack
	Shares bool // each part as a share of its bar
}

func (s Stacks) plot() plot {
	header := append([]string{"name"}, s.Parts...)
	return plot{header: append(header, "sum ("+s.Unit+")"), rows: s.rows, cells: (len(header) + 1) * len(s.Items), height: rowsHeight(len(s.Items), 28, s.Parts)}
}

func (s Stacks) rows() [][]string {
	rows := make([][]string, len(s.Items))
	for i, item := range s.Items {
		rows[i] = append(rows[i], item.Label)
		sum := 0.0
		for _, v := range item.Values {
			rows[i] = append(rows[i], ui.Exact(v))
			sum += v
		}
		rows[i] = append(rows[i], ui.Exact(sum))
	}
	return rows
}
