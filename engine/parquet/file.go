package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"berth/engine/csv"
	"berth/engine/show"
)

const (
	magic      = "PAR1"
	encrypted  = "PARE"
	maxFooter  = 16 << 20
	maxColumns = 1000
)

// ErrDamaged says that a file is not as the format wants it.
var ErrDamaged = errors.New("the Parquet file is damaged or cut off: copy it again")

// damaged is [ErrDamaged] with what is wrong.
func damaged(err error) error { return fmt.Errorf("%w (%v)", ErrDamaged, err) }

// The repetition types of columns.
const (
	optional = 1
	repeated = 2
)

// column is a column of a table at its top.
type column struct {
	name     string
	leaf     int // its number among the columns with values; −1 of a nested one
	optional bool
	form
}

// table is a file whose rows are read one after the other.
type table struct {
	file    []byte
	columns []column
	leaves  int
	groups  []node // of rows, which are still to come
	chunks  []*chunk
	rows    int64 // that are left of a group
	live    int   // bytes of pages and dictionaries
	line    []byte
	row     []byte
}

// CSV returns the table of a file as CSV with a header. A nested column has its name
// with [] there, and empty cells. Times are dates of RFC 3339.
func CSV(file []byte) (io.Reader, error) {
	footer, err := footerOf(file)
	if err != nil {
		return nil, err
	}
	t := &table{file: file, groups: footer.field(4).list}
	if err := t.schema(footer.field(2).list); err != nil {
		return nil, err
	}
	for i := range t.columns {
		t.line = append(t.line, cellEnd(i)...)
		t.line = append(t.line, csv.Cell(t.columns[i].name)...)
	}
	t.line = append(t.line, '\n')
	return t, nil
}

// cellEnd is what stands before cell i of a row.
func cellEnd(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// footerOf reads the description at the end of a file.
func footerOf(file []byte) (*node, error) {
	if len(file) < 2*len(magic)+4 {
		return nil, ErrDamaged
	}
	end := len(file) - len(magic)
	switch string(file[end:]) {
	case encrypted:
		return nil, errors.New("the Parquet file is encrypted: write it without")
	case magic:
	default:
		return nil, ErrDamaged
	}
	size := int64(binary.LittleEndian.Uint32(file[end-4:]))
	if size > maxFooter || size > int64(end-4-len(magic)) {
		return nil, ErrDamaged
	}
	t := thrift{data: file[int64(end-4)-size : end-4]}
	footer := t.structure(0)
	if t.err != nil {
		return nil, damaged(t.err)
	}
	return footer, nil
}

// schema finds the columns at the top. The elements are a tree in preorder.
func (t *table) schema(elements []node) error {
	if len(elements) == 0 {
		return damaged(errors.New("it has no schema"))
	}
	for rest := elements[1:]; len(rest) > 0; {
		e := &rest[0]
		c := column{name: string(e.field(4).text), leaf: -1, optional: e.field(3).number == optional, form: formOf(e)}
		n, leaves := subtree(rest)
		if n == 1 && e.field(3).number != repeated {
			c.leaf = t.leaves
		} else {
			c.name += "[]" // none that a reader takes for one with values
		}
		t.leaves += leaves
		t.columns = append(t.columns, c)
		rest = rest[n:]
		if len(t.columns) > maxColumns {
			return fmt.Errorf("the Parquet file has more than %s", show.Count(maxColumns, "column"))
		}
	}
	return nil
}

// subtree counts the elements of the first one's tree, and its leaves.
func subtree(elements []node) (n, leaves int) {
	for need := int64(1); need > 0 && n < len(elements); n++ {
		children := elements[n].field(5).number
		if children <= 0 {
			children = 0
			leaves++
		}
		need += min(children, int64(len(elements))) - 1
	}
	return n, leaves
}

// Read implements [io.Reader].
func (t *table) Read(buffer []byte) (int, error) {
	for len(t.line) == 0 {
		if err := t.next(); err != nil {
			return 0, err
		}
	}
	n := copy(buffer, t.line)
	t.line = t.line[n:]
	return n, nil
}

// next makes the line of the next row.
func (t *table) next() error {
	for t.rows == 0 {
		if len(t.groups) == 0 {
			return io.EOF
		}
		if err := t.begin(&t.groups[0]); err != nil {
			return err
		}
		t.groups = t.groups[1:]
	}
	t.rows--
	t.row = t.row[:0]
	var err error
	for i, c := range t.chunks {
		t.row = append(t.row, cellEnd(i)...)
		if c == nil {
			continue
		}
		if t.row, err = c.cell(t.row); err != nil {
			return fmt.Errorf("column %s: %w", show.Quote(t.columns[i].name), err)
		}
	}
	t.row = append(t.row, '\n')
	t.line = t.row
	return nil
}

// begin begins a group of rows: a chunk for each column with values.
func (t *table) begin(group *node) error {
	t.rows, t.live = group.field(3).number, 0
	all := group.field(1).list
	if t.rows < 0 || len(all) != t.leaves {
		return damaged(errors.New("a group of rows has other columns than the table"))
	}
	t.chunks = make([]*chunk, len(t.columns))
	for i := range t.columns {
		c := &t.columns[i]
		if c.leaf < 0 {
			continue
		}
		var err error
		if t.chunks[i], err = t.chunk(c, &all[c.leaf]); err != nil {
			return fmt.Errorf("column %s: %w", show.Quote(c.name), err)
		}
	}
	return nil
}

// chunk finds the values of a column in a group of rows.
func (t *table) chunk(c *column, n *node) (*chunk, error) {
	meta := n.field(3)
	from, size := meta.field(9).number, meta.field(7).number
	if at := meta.field(11).number; meta.has(11) && at > 0 && at < from {
		from = at
	}
	switch {
	case len(n.field(1).text) > 0:
		return nil, errors.New("its values are in another file: write the table into one")
	case !meta.has(9), from < 0, size < 0, from > int64(len(t.file)), size > int64(len(t.file))-from, meta.field(1).number != int64(c.physical):
		return nil, ErrDamaged
	}
	return &chunk{table: t, column: c, codec: meta.field(4).number, data: t.file[from : from+size]}, nil
}
