package topology

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
)

// rows passes each record of a table to each: the column names, the fields, and the record's offset
// in the text.
func (n *network) rows(each func(names, fields []csv.Field, at int)) {
	lines := csv.NewLines(n.file, strings.NewReader(n.text))
	starts := []int{0}
	for i := range n.text {
		if n.text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	var names []csv.Field
	var fields []csv.Field
	err := lines.Each(func(line string) (err error) {
		if fields, err = lines.Fields(line, fields); err != nil {
			return err
		}
		at := starts[lines.Number-1]
		switch {
		case names == nil:
			names = slices.Clone(fields)
		case len(fields) != len(names):
			return lines.Wrong(csv.Miscount(line, fields, len(names), fmt.Sprintf("the header %d", len(names))), "")
		case !n.take(budget.Originals, len(fields), at):
			return io.EOF
		default:
			each(names, fields, at)
		}
		return nil
	})
	if one, ok := errors.AsType[*diag.Diagnostic](err); ok {
		n.found, n.errors = append(n.found, *one), n.errors+1
	} else if err != nil && err != io.EOF {
		n.wrong(err)
	}
}

// Accepted names for the columns with the two ends of an edge.
var (
	edgeFrom = []string{"from", "source", "src", "a"}
	edgeTo   = []string{"to", "target", "dst", "destination", "b"}
)

// edges is a table whose header has columns for both ends of an edge.
var edges = syntax{sniff.Format{Name: "edges", Of: "Tables of edges", What: "a table of edges", For: sniff.Placement, Do: inPlacement, Syntax: sniff.Table, Fit: func(h *sniff.Head) int {
	has := func(names []string) bool {
		return slices.ContainsFunc(h.Fields, func(f string) bool { return slices.Contains(names, strings.ToLower(f)) })
	}
	return sniff.ScoreIf(70, has(edgeFrom) && has(edgeTo) && h.Mark == ',')
}}, readEdges}

// readEdges reads a table of edges. Further columns are attributes.
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

// matrix is recognised by a header with an empty first cell, and by a second row that begins with
// the first name in the header.
var matrix = syntax{sniff.Format{Name: "matrix", Of: "Matrices of latencies", What: "a matrix of latencies", For: sniff.Federations, Syntax: sniff.Table, Fit: func(h *sniff.Head) int {
	return sniff.ScoreIf(95, h.Mark == ',' && len(h.Fields) > 2 && h.Fields[0] == "" && h.Fields[1] == sniff.Split(h.Next, ',')[0])
}}, readMatrix}

// readMatrix reads a matrix of latencies in ms, such as round-trip times. The first row and the
// first column contain the names of the clusters. Empty cells and the diagonal are not links. If
// both directions of a link have different latencies, the higher one counts.
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
