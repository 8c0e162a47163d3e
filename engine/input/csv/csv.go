package csv

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"

	"berth/engine/show"
)

// Table returns rows as a file, whose first row is its header.
func Table(rows [][]string) []byte {
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, row := range rows {
		w.Write(row) // a write to a buffer cannot fail
	}
	w.Flush()
	return b.Bytes()
}

// Number formats a figure with all its digits. NaN becomes an empty cell. +Inf is written without
// the plus, which would make the cell a formula.
func Number[F ~float64](x F) string {
	if x != x {
		return ""
	}
	return strings.TrimPrefix(strconv.FormatFloat(float64(x), 'g', -1, 64), "+")
}

// Writer writes CSV. Rows are buffered until [Writer.Flush].
type Writer struct{ to *bufio.Writer }

// NewWriter returns a writer of CSV to the given writer. The caller must call [Writer.Flush] at the
// end.
func NewWriter(to io.Writer) *Writer { return &Writer{bufio.NewWriter(to)} }

// Flush writes the buffered rows. It returns the first error of writing, now or earlier.
func (w *Writer) Flush() error { return w.to.Flush() }

// Write writes one row. It returns the first error of writing, now or earlier.
func (w *Writer) Write(row []string) error {
	for i, cell := range row {
		if i > 0 {
			w.to.WriteByte(',')
		}
		w.to.WriteString(quote(guard(cell), len(row) == 1))
	}
	return w.to.WriteByte('\n')
}

// Cell returns a cell as a [Writer] writes it in a row with more than one cell.
func Cell(cell string) string { return quote(guard(cell), false) }

// quote quotes a cell if necessary. A single empty cell would make an empty line, which readers
// skip. Readers may trim the space around a cell. A spreadsheet may split lines at semicolons or
// tabs, so that the text after one could be a formula.
func quote(cell string, alone bool) string {
	if cell == "" && !alone || cell != "" && !strings.ContainsAny(cell, ",;\t\"\r\n") && cell == strings.TrimSpace(cell) {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// guard puts an apostrophe before a cell that a spreadsheet would read as a formula. It also guards
// a formula that already follows apostrophes, so that Unguard restores the cell.
func guard(cell string) string {
	if formula(strings.TrimLeft(cell, "'")) {
		return "'" + cell
	}
	return cell
}

// Unguard removes the apostrophe that a [Writer] has put before a cell.
func Unguard(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && guard(rest) == cell {
		return rest
	}
	return cell
}

// formula reports whether a spreadsheet may read a cell as a formula.
func formula(cell string) bool {
	return strings.IndexAny(cell, "=@\t\r\n＝＠＋－") == 0 || cell != "" && (cell[0] == '+' || cell[0] == '-') && !number(cell[1:])
}

// number reports whether a text without a sign is a number; names such as Inf are not.
func number(text string) bool {
	_, ok := show.ParseNumber(text)
	return ok && (text[0] == '.' || text[0] >= '0' && text[0] <= '9')
}
