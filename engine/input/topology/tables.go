package topology

import (
	"errors"
	"io"
	"slices"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
)

// rows reads the records of a table; each gets the names of the columns and a record.
func (n *network) rows(each func(names, fields []csv.Field, at int)) {
	lines := csv.NewLines(n.file, strings.NewReader(n.text))
	starts := []int{0}
	for i := range n.text {
		if n.text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	names, err := lines.Next()
	var columns []csv.Field
	if err == nil {
		columns, err = lines.Fields(names, nil)
	}
	if err == nil {
		err = lines.Records(len(columns), func(fields []csv.Field) error {
			at := starts[lines.Number-1]
			if !n.take(budget.Originals, len(fields), at) {
				return io.EOF
			}
			each(columns, fields, at)
			return nil
		})
	}
	if one, ok := errors.AsType[*diag.Diagnostic](err); ok {
		n.found, n.errors = append(n.found, *one), n.errors+1
	} else if err != nil && err != io.EOF {
		n.wrong(err)
	}
}

// The names of the columns with the ends of an edge.
var (
	edgeFrom = []string{"from", "source", "src", "a"}
	edgeTo   = []string{"to", "target", "dst", "destination", "b"}
)

// edges is a table with both ends of an edge in its header.
var edges = syntax{sniff.Format{Name: "edges", Of: "Tables of edges", What: "a table of edges", For: sniff.Placement, Do: inPlacement, Syntax: sniff.Table, Fit: func(h *sniff.Head) int {
	has := func(names []string) bool {
		return slices.ContainsFunc(h.Fields, func(f string) bool { return slices.Contains(names, strings.ToLower(f)) })
	}
	return sniff.ScoreIf(70, has(edgeFrom) && has(edgeTo) && h.Mark == ',')
}}, readEdges}

// readEdges reads a table with an edge in each row: its ends, and attributes.
func readEdges(n *network) {
	n.open = true
	n.rows(func(names, fields []csv.Field, at int) {
		from, to, attributes := "", "", map[string]string{}
		for i, f := range fields {
			switch name := strings.ToLower(names[i].Text); {
			case slices.Contains(edgeFrom, name):
				from = strings.Clone(f.Text)
			case slices.Contains(edgeTo, name):
				to = strings.Clone(f.Text)
			case f.Text != "":
				attributes[strings.Clone(names[i].Text)] = strings.Clone(f.Text)
			}
		}
		if from == "" || to == "" {
			n.add(diag.Error, at, endMissing)
			return
		}
		n.edge(from, to, at, attributes)
	})
}

// matrix begins with a header of names behind an empty cell, and a row that begins with the first of them.
var matrix = syntax{sniff.Format{Name: "matrix", Of: "Matrices of latencies", What: "a matrix of latencies", For: sniff.Federations, Syntax: sniff.Table, Fit: func(h *sniff.Head) int {
	return sniff.ScoreIf(95, h.Mark == ',' && len(h.Fields) > 2 && h.Fields[0] == "" && h.Fields[1] == sniff.Split(h.Next, ',')[0])
}}, readMatrix}

// readMatrix reads a matrix of latencies, such as round-trip times, in ms: the first row and the first
// column have the names of the clusters. An empty cell and the diagonal are no link. Of two different
// latencies of a link the higher one counts.
func readMatrix(n *network) {
	at := map[[2]string]int{}
	differ := 0
	n.rows(func(names, fields []csv.Field, offset int) {
		from := strings.Clone(fields[0].Text)
		n.node(from, "", offset, nil)
		for i, f := range fields[1:] {
			to := strings.Clone(names[i+1].Text)
			if f.Text == "" || from == to {
				continue
			}
			pair := [2]string{min(from, to), max(from, to)}
			k, known := at[pair]
			if !known {
				at[pair] = len(n.Edges)
				n.edge(from, to, offset, map[string]string{"latency": strings.Clone(f.Text)})
				continue
			}
			if old := n.Edges[k].Attributes["latency"]; old != f.Text {
				differ++
				if value(f.Text) > value(old) {
					n.Edges[k].Attributes["latency"] = strings.Clone(f.Text)
				}
			}
		}
	})
	if n.add(diag.Note, 0, matrixLatency); differ > 0 {
		n.add(diag.Note, 0, matrixDiffers, differ)
	}
}
