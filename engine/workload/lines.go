package workload

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
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
	longest int
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
	for l.scanner.Scan() {
		l.number++
		text := bytes.TrimSpace(l.scanner.Bytes())
		if l.number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) > 0 {
			return string(text), nil
		}
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		l.number++
		return "", l.errorf("the line has more than %d bytes", l.longest)
	case err != nil:
		return "", fmt.Errorf("%s: %w", l.name, err)
	}
	return "", io.EOF
}

// SyntaxError is a line that is not what it should be.
type SyntaxError struct {
	File    string
	Line    int
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message) }

func (l *lines) errorf(format string, args ...any) error {
	return &SyntaxError{File: l.name, Line: l.number, Message: fmt.Sprintf(format, args...)}
}

// fields splits a line of CSV. Quotes are understood only around whole fields,
// with "" for a quote.
func (l *lines) fields(line string, into []string) ([]string, error) {
	into = into[:0]
	for {
		if strings.HasPrefix(line, `"`) {
			text, rest, err := quoted(line[1:])
			if err != nil {
				return nil, l.errorf("field %d: %v", len(into)+1, err)
			}
			into = append(into, text)
			if rest == "" {
				return into, nil
			}
			line = rest[1:]
			continue
		}
		text, rest, more := strings.Cut(line, ",")
		into = append(into, strings.TrimSpace(text))
		if !more {
			return into, nil
		}
		line = rest
	}
}

// records reads the lines that follow a header of width columns, field by field,
// to the end of the file or the first that each refuses.
func (l *lines) records(width int, each func(fields []string) error) error {
	var fields []string
	for {
		line, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if fields, err = l.fields(line, fields); err != nil {
			return err
		}
		if len(fields) != width {
			return l.errorf("the line has %d fields, the header %d", len(fields), width)
		}
		if err := each(fields); err != nil {
			return l.errorf("%v", err)
		}
	}
}

// quoted reads the rest of a quoted field; rest is empty or starts with the
// comma after it.
func quoted(line string) (text, rest string, err error) {
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
		if after != "" && after[0] != ',' {
			return "", "", errors.New("expected a comma after the closing quote")
		}
		return b.String(), after, nil
	}
}
