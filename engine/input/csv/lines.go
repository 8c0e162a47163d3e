package csv

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"berth/engine/diag"
	"berth/engine/show"
)

// maxLine is the default limit on the length of a line, in bytes.
const maxLine = 1 << 20

// Lines reads a file line by line and tracks the position.
type Lines struct {
	Name   string // file name for messages
	Number int    // number of the current line, from 1
	Mark   byte   // separator of fields; 0: comma

	scanner *bufio.Scanner
	columns []int // byte offsets of the ends of the fields in a ruled table; nil for tables with separators
	indent  int   // number of bytes before the text of the current line
	longest int   // maximum length of a line, in bytes
}

// NewLines returns a reader of lines of at most 1 MiB.
func NewLines(name string, r io.Reader) *Lines { return NewLongLines(name, r, maxLine) }

// NewLongLines returns a reader of lines of at most longest bytes.
func NewLongLines(name string, r io.Reader, longest int) *Lines {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), longest)
	return &Lines{Name: name, scanner: s, longest: longest}
}

// Next returns the next line that is not empty, without the space around it; io.EOF at the end.
func (l *Lines) Next() (string, error) {
	for l.scanner.Scan() && l.scanner.Err() == nil { // after an error, the rest may be part of a line
		l.Number++
		raw := l.raw()
		if text := bytes.TrimSpace(raw); len(text) > 0 {
			l.indent = cap(raw) - cap(text) // raw and text end at the same byte of the buffer
			return string(text), nil
		}
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		l.Number++
		return "", l.Refuse(longLine, l.longest)
	case err != nil:
		return "", fmt.Errorf("%s: %w", show.Text(l.Name), err)
	}
	return "", io.EOF
}

// Each calls do with every remaining line, as [Lines.Next] returns it, until do returns io.EOF or
// another error. It returns nil for io.EOF.
func (l *Lines) Each(do func(line string) error) error {
	for {
		line, err := l.Next()
		if err == nil {
			err = do(line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// raw returns the current line with the space around it. It is empty before the first line and
// after the last.
func (l *Lines) raw() []byte {
	if l.Number == 1 {
		return bytes.TrimPrefix(l.scanner.Bytes(), []byte("\ufeff"))
	}
	return l.scanner.Bytes()
}

// Column returns the column of a byte of the line that Next returned.
func (l *Lines) Column(at int32) int {
	raw := l.raw()
	return 1 + utf8.RuneCount(raw[:min(l.indent+int(at), len(raw))])
}

// Refuse returns an error about the whole line.
func (l *Lines) Refuse(code *diag.Code, args ...any) error {
	return diag.New(l.Name, l.Number, 1, code, args...)
}

// Wrong returns an error about the current line. If err has a position (see [FaultAt]), the error
// names its column. expected describes a valid line; "" omits the description.
func (l *Lines) Wrong(err error, expected string) error {
	e := diag.New(l.Name, l.Number, 1, diag.Invalid, err)
	if f, ok := errors.AsType[*fault](err); ok {
		e.Column = l.Column(f.at)
	}
	if expected != "" {
		e.Code, e.Args = otherLine, []any{err, expected}
	}
	return e
}

// Field is the text of a field and its offset in the line, in bytes.
type Field struct {
	Text string
	At   int32
}

// Fault returns an error at the position of a field.
func (f Field) Fault(err error) error { return &fault{f.At, err} }

// FaultAt returns an error at a byte of a line, from 0.
func FaultAt(at int32, code *diag.Code, args ...any) error { return &fault{at, code.New(args...)} }

// fault is an error at a byte of a line, from 0.
type fault struct {
	at int32
	error
}

func (f *fault) Unwrap() error { return f.error }

// Rule sets the layout of a ruled table, given the line of dashes under the column names: the
// fields of a line are below the groups of dashes.
func (l *Lines) Rule(dashes string) {
	l.columns = []int{}
	for i := range dashes {
		if i+1 == len(dashes) || dashes[i] == '-' && dashes[i+1] == ' ' {
			l.columns = append(l.columns, i+1)
		}
	}
}

// ruled splits a line of a ruled table. The last field may extend beyond its dashes.
func (l *Lines) ruled(line string, into []Field) []Field {
	begin := 0
	for i, end := range l.columns {
		if i+1 == len(l.columns) || end > len(line) {
			end = len(line)
		}
		text := line[min(begin, end):end]
		into = append(into, Field{strings.TrimSpace(text), int32(begin + len(text) - len(strings.TrimLeft(text, " ")))})
		begin = end
	}
	return into
}

// Fields splits a line into fields, and removes the apostrophe that a [Writer] puts before a
// formula. Quotation marks count only around a whole field, where "" represents one.
func (l *Lines) Fields(line string, into []Field) ([]Field, error) {
	into = into[:0]
	if l.columns != nil {
		return l.ruled(line, into), nil
	}
	mark := cmp.Or(l.Mark, ',')
	for at := 0; ; {
		rest := line[at:]
		if strings.HasPrefix(rest, `"`) {
			text, after, err := quoted(rest[1:], mark)
			if err != nil {
				return nil, l.Wrong(FaultAt(int32(at), badField, len(into)+1, err), "")
			}
			into = append(into, Field{Unguard(text), int32(at + 1)})
			if after == "" {
				return into, nil
			}
			at = len(line) - len(after) + 1
			continue
		}
		end := strings.IndexByte(rest, mark)
		text := rest
		if end >= 0 {
			text = rest[:end]
		}
		trimmed := strings.TrimSpace(text)
		into = append(into, Field{Unguard(trimmed), int32(at + strings.Index(text, trimmed))})
		if end < 0 {
			return into, nil
		}
		at += end + 1
	}
}

// Miscount returns an error about a line with too many fields, at the first extra field, or with
// too few, at its end.
func Miscount(line string, fields []Field, want int, wanted string) error {
	at := int32(len(line))
	if len(fields) > want {
		at = fields[want].At
	}
	return FaultAt(at, fieldCount, show.Count(len(fields), "field"), wanted)
}

// quoted reads the rest of a quoted field. rest is the remaining line: empty, or beginning with
// mark.
func quoted(line string, mark byte) (text, rest string, err error) {
	var b strings.Builder
	for {
		part, after, ok := strings.Cut(line, `"`)
		if !ok {
			return "", "", errors.New("the closing quote is missing")
		}
		b.WriteString(part)
		if after, again := strings.CutPrefix(after, `"`); again {
			b.WriteByte('"')
			line = after
			continue
		}
		if after != "" && after[0] != mark {
			return "", "", errors.New("expected " + string(rune(mark)) + " after the closing quote")
		}
		return b.String(), after, nil
	}
}
