package chart

import "fmt"

// Strip is a row of thin cells, one for each request or bin of requests, coloured by a figure from
// 0 to 1. NaN is a cell without a figure.
type Strip struct {
	Group  string // a class; strips of a group are adjacent
	Name   string // a policy
	Values []float64
	Limit  float64 // SLO; values below it are marked; 0: none
}

// Strips shows the availability of every request (figures 4 and 5 of the QoS paper). Pointing at a
// cell, or moving to it with the arrow keys, shows its value.
type Strips struct {
	Item  string // noun for a cell: "request"
	Value string // name of the figure: "availability"
	Items []Strip
}

func (s Strips) plot() plot {
	n := 0
	for _, strip := range s.Items {
		n += len(strip.Values)
	}
	return plot{header: []string{"group", "name", s.Item, s.Value}, cells: 4 * n, height: s.height(), rows: func(add addRow) {
		for _, strip := range s.Items {
			for i, v := range strip.Values {
				add(strip.Group, strip.Name, i+1, v)
			}
		}
	}}
}

// height returns the height of the strips, with gaps between groups, plus legend and readout.
func (s Strips) height() string {
	gaps := 0
	for i := range s.Items {
		if i > 0 && s.Items[i].Group != s.Items[i-1].Group {
			gaps++
		}
	}
	return fmt.Sprintf("%dpx", 26*len(s.Items)+8*gaps+48)
}
