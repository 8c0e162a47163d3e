package trace

import (
	"bufio"
	"bytes"
	"io"

	"berth/engine/diag"
	"berth/engine/input/format/sniff"
	"berth/engine/sim"
)

var overheads = fileFormat{
	Format: sniff.Format{Name: "overheads", What: "a list of overheads", For: sniff.Overheads, Syntax: sniff.Table},
	table:  &table{lines: own, columns: []column{{sniff.OverheadColumn, rowRun, inSeconds, must}}},
}

func (t *table) overheads(name string, r io.Reader) (all []sim.Milliseconds, err error) {
	err = t.each(name, r, nil, func(rows *rowsOf) error {
		var f values
		all = append(all, f.Seconds(&rows.cells[0]))
		return f.Err
	})
	if err == nil && len(all) == 0 {
		err = diag.New(name, 1, 1, noOverheads)
	}
	return all, err
}

// Overheads reads a set of allocation overheads in seconds, from CSV with the single
// column overhead_s, or from lines of Erlang terms in the authors' format.
func Overheads(name string, r io.Reader) ([]sim.Milliseconds, error) {
	in := bufio.NewReader(r)
	if begin, _ := in.Peek(64); bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(begin, []byte("\ufeff")), " \t\r\n"), []byte("{")) {
		return erlangOverheads.table.overheads(name, in)
	}
	return overheads.table.overheads(name, in)
}
