package workload

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"berth/engine/csv"
	"berth/engine/diag"
	"berth/engine/show"
)

// How long a line may be, in bytes: one of a trace has all tasks of a job.
const (
	maxLine      = 1 << 20
	maxTraceLine = 1 << 26
)

// lines reads a file line by line and knows where it is.
type lines struct {
	name    string
	scanner *bufio.Scanner
	number  int
	indent  int // of the current line, in bytes
	longest int
	mark    byte // between the fields; 0 is a comma
}

func newLines(name string, r io.Reader) *lines { return newLongLines(name, r, maxLine) }

// newLongLines reads lines of at most so many bytes.
func newLongLines(name string, r io.Reader, longest int) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), longest)
	return &lines{name: name, scanner: s, longest: longest}
}

// next returns the next line that is not empty, without the space around it.
func (l *lines) next() (string, error) {
	for l.scanner.Scan() && l.scanner.Err() == nil { // else what is left may be a part of a line
		l.number++
		raw := l.raw()
		if text := bytes.TrimSpace(raw); len(text) > 0 {
			l.indent = cap(raw) - cap(text) // both end with the same buffer
			return string(text), nil
		}
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		l.number++
		return "", l.errorf("the line has more than %d bytes", l.longest)
	case err != nil:
		return "", fmt.Errorf("%s: %w", show.Text(l.name), err)
	}
	return "", io.EOF
}

// raw returns the current line with the space around it; there is none before
// the first line and after the last.
func (l *lines) raw() []byte {
	if l.number == 1 {
		return bytes.TrimPrefix(l.scanner.Bytes(), []byte("\ufeff"))
	}
	return l.scanner.Bytes()
}

// column returns the column of a byte of the line that next returned.
func (l *lines) column(at int32) int {
	raw := l.raw()
	return 1 + utf8.RuneCount(raw[:min(l.indent+int(at), len(raw))])
}

// errorf is about the whole line.
func (l *lines) errorf(format string, args ...any) error {
	return diag.Errorf(l.name, l.number, 1, format, args...)
}

// wrong says what is wrong with the line, and where if the error knows. What
// was expected may be empty.
func (l *lines) wrong(err error, expected string) error {
	e := diag.Errorf(l.name, l.number, 1, "%v", err)
	if f, ok := errors.AsType[*fault](err); ok {
		e.Column = l.column(f.at)
	}
	if expected != "" {
		e.Message += "; expected " + expected
	}
	return e
}

// fault is an error at a place of a line, in bytes from 0.
type fault struct {
	at int32
	error
}

func faultf(at int32, format string, args ...any) error {
	return &fault{at, fmt.Errorf(format, args...)}
}

// fields splits a line of CSV. Quotes are understood only around whole fields,
// with "" for a quote; what [csv.Writer] puts before formulas is taken off.
func (l *lines) fields(line string, into []field) ([]field, error) {
	into = into[:0]
	mark := ","
	if l.mark != 0 {
		mark = string(l.mark)
	}
	for at := 0; ; {
		rest := line[at:]
		if strings.HasPrefix(rest, `"`) {
			text, after, err := quoted(rest[1:], mark)
			if err != nil {
				return nil, l.wrong(faultf(int32(at), "field %d: %w", len(into)+1, err), "")
			}
			into = append(into, field{csv.Unguard(text), int32(at + 1)})
			if after == "" {
				return into, nil
			}
			at = len(line) - len(after) + 1
			continue
		}
		text, _, more := strings.Cut(rest, mark)
		trimmed := strings.TrimSpace(text)
		into = append(into, field{csv.Unguard(trimmed), int32(at + strings.Index(text, trimmed))})
		if !more {
			return into, nil
		}
		at += len(text) + 1
	}
}

// miscount is of a line with too many fields, at the first of them, or with too
// few, at its end.
func miscount(line string, fields []field, want int, wanted string) error {
	at := int32(len(line))
	if len(fields) > want {
		at = fields[want].at
	}
	return faultf(at, "the line has %s, %s", show.Count(len(fields), "field"), wanted)
}

// records reads the lines that follow a header of width columns, field by field,
// to the end of the file or the first that each refuses.
func (l *lines) records(width int, each func(fields []field) error) error {
	var fields []field
	for {
		line, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		fields, err = l.fields(line, fields)
		if err != nil {
			return err
		}
		if len(fields) != width {
			return l.wrong(miscount(line, fields, width, fmt.Sprintf("the header %d", width)), "")
		}
		if err := each(fields); err != nil {
			return l.wrong(err, "")
		}
	}
}

// quoted reads the rest of a quoted field; rest is empty or starts with the
// mark after it.
func quoted(line, mark string) (text, rest string, err error) {
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
		if after != "" && !strings.HasPrefix(after, mark) {
			return "", "", errors.New("expected " + mark + " after the closing quote")
		}
		return b.String(), after, nil
	}
}
