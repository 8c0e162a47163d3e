package csv

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"

	"berth/engine/show"
)

// Table returns rows as a file; the first is its header.
func Table(rows [][]string) []byte {
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, row := range rows {
		w.Write(row) // a buffer takes everything
	}
	w.Flush()
	return b.Bytes()
}

// Number writes a figure with all its digits, nothing for one that is undefined: NaN.
// What is infinite has no sign, which would make it a formula.
func Number[F ~float64](x F) string {
	if x != x {
		return ""
	}
	return strings.TrimPrefix(strconv.FormatFloat(float64(x), 'g', -1, 64), "+")
}

// Writer writes rows.
type Writer struct{ to *bufio.Writer }

// NewWriter returns a writer to a file. What it has written may be in its buffer
// until it is flushed.
func NewWriter(to io.Writer) *Writer { return &Writer{bufio.NewWriter(to)} }

// Flush writes what is in the buffer.
func (w *Writer) Flush() error { return w.to.Flush() }

// Write writes one row. Its error is that of writing to the file, now or before.
func (w *Writer) Write(row []string) error {
	for i, cell := range row {
		if i > 0 {
			w.to.WriteByte(',')
		}
		w.to.WriteString(quote(guard(cell), len(row) == 1))
	}
	return w.to.WriteByte('\n')
}

// Cell writes one of several cells of a row as a [Writer] does.
func Cell(cell string) string { return quote(guard(cell), false) }

// quote puts a cell in quotes where it needs them: an empty line would be none,
// readers may trim the space around a cell, and where a spreadsheet splits lines
// at semicolons or tabs, what follows one could be a formula.
func quote(cell string, alone bool) string {
	if cell == "" && !alone || cell != "" && !strings.ContainsAny(cell, ",;\t\"\r\n") && cell == strings.TrimSpace(cell) {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// guard puts an apostrophe before a cell that a spreadsheet would take as a
// formula, and before one that Unguard would take an apostrophe from.
func guard(cell string) string {
	if formula(strings.TrimLeft(cell, "'")) {
		return "'" + cell
	}
	return cell
}

// Unguard returns a cell as it was before a [Writer] put an apostrophe before it.
func Unguard(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && guard(rest) == cell {
		return rest
	}
	return cell
}

// formula says whether a spreadsheet may take a cell as a formula.
func formula(cell string) bool {
	return strings.IndexAny(cell, "=@\t\r\n＝＠＋－") == 0 || cell != "" && (cell[0] == '+' || cell[0] == '-') && !number(cell[1:])
}

// number says whether a text without a sign is a number, except names such as
// Inf.
func number(text string) bool {
	_, ok := show.ParseNumber(text)
	return ok && (text[0] == '.' || text[0] >= '0' && text[0] <= '9')
}
