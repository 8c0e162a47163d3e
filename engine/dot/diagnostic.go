package dot

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"berth/engine/plural"
)

// Severity says what a diagnostic means for the result.
type Severity uint8

const (
	Note    Severity = iota // worth knowing, and never wrong
	Warning                 // doubtful; an error in strict mode
	Error                   // the file is not used
)

var severities = [...]string{"note", "warning", "error"}

func (s Severity) String() string { return severities[s] }

// MarshalText writes note, warning or error.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severities[:], string(text))
	if i < 0 {
		return fmt.Errorf("severity %q: expected note, warning or error", text)
	}
	*s = Severity(i)
	return nil
}

// Diagnostic is one problem of a file. Lines and columns count from 1, columns
// in characters. Element and Field are empty where the problem has none.
type Diagnostic struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Severity Severity `json:"severity"`
	Element  string   `json:"element,omitempty"` // such as: job "api"
	Field    string   `json:"field,omitempty"`   // such as: request
	Message  string   `json:"message"`
}

// String returns "file:line:column: message".
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Message)
}

// Diagnostics are the problems of a file in the order of their places.
type Diagnostics []Diagnostic

// Errors, Warnings and Notes return the diagnostics of one severity.
func (d Diagnostics) Errors() Diagnostics   { return d.only(Error) }
func (d Diagnostics) Warnings() Diagnostics { return d.only(Warning) }
func (d Diagnostics) Notes() Diagnostics    { return d.only(Note) }

func (d Diagnostics) only(s Severity) Diagnostics {
	return d.where(func(one *Diagnostic) bool { return one.Severity == s })
}

// Of returns the diagnostics of one file.
func (d Diagnostics) Of(file string) Diagnostics {
	return d.where(func(one *Diagnostic) bool { return one.File == file })
}

func (d Diagnostics) where(wanted func(*Diagnostic) bool) Diagnostics {
	var some Diagnostics
	for i := range d {
		if wanted(&d[i]) {
			some = append(some, d[i])
		}
	}
	return some
}

// Err returns all errors as one, one a line, or nil if there are none.
func (d Diagnostics) Err() error {
	var lines []string
	for _, one := range d.Errors() {
		lines = append(lines, one.String())
	}
	if lines == nil {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}

// maxReported bounds the diagnostics of each severity, so that a file of the
// wrong kind does not answer with a million lines.
const maxReported = 100

// problems collects what is wrong with a file by byte offset.
type problems struct {
	file, src string
	strict    bool
	found     []problem
	count     [len(severities)]int
	lines     []int // offset of each line, once asked for
}

type problem struct {
	offset int
	Diagnostic
}

func (p *problems) add(s Severity, offset int, element fmt.Stringer, field, format string, args ...any) {
	if s == Warning && p.strict {
		s = Error
	}
	p.count[s]++
	if p.count[s] > maxReported {
		return
	}
	d := Diagnostic{File: p.file, Severity: s, Field: field, Message: fmt.Sprintf(format, args...)}
	if element != nil {
		d.Element = element.String()
	}
	p.found = append(p.found, problem{offset, d})
}

func (p *problems) errorAt(offset int, format string, args ...any) {
	p.add(Error, offset, nil, "", format, args...)
}

// diagnostics returns everything found so far with lines and columns.
func (p *problems) diagnostics() Diagnostics {
	slices.SortStableFunc(p.found, func(a, b problem) int { return a.offset - b.offset })
	all := make(Diagnostics, 0, len(p.found))
	for _, f := range p.found {
		f.Line, f.Column = p.place(f.offset)
		all = append(all, f.Diagnostic)
	}
	for s := Error; s > Note; s-- {
		if more := p.count[s] - maxReported; more > 0 {
			d := all.only(s)[maxReported-1]
			d.Element, d.Field, d.Message = "", "", "and "+plural.Of(more, "more "+s.String())
			all = append(all, d)
		}
	}
	return all
}

// place returns the line and column of a byte.
func (p *problems) place(offset int) (line, column int) {
	if p.lines == nil {
		p.lines = []int{0}
		for i := 0; i < len(p.src); i++ {
			if p.src[i] == '\n' {
				p.lines = append(p.lines, i+1)
			}
		}
	}
	line, _ = slices.BinarySearch(p.lines, offset+1)
	start := p.lines[line-1]
	if strings.HasPrefix(p.src[start:], byteOrderMark) {
		start = min(start+len(byteOrderMark), offset)
	}
	return line, utf8.RuneCountInString(p.src[start:offset]) + 1
}

func (p *problems) line(offset int) int {
	line, _ := p.place(offset)
	return line
}
