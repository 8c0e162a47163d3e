package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"berth/engine/show"
)

// Severity says what a diagnostic means for the result.
type Severity uint8

const (
	Note    Severity = iota // worth knowing, and never wrong
	Warning                 // doubtful; an error in strict mode
	Error                   // the file is not used

	Severities = iota // how many there are
)

var severities = [Severities]string{"note", "warning", "error"}

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

// Document is the File of a diagnostic in the document of a scenario. A caller that
// read it from a file puts the name of the file there.
const Document = "scenario"

// Diagnostic is one problem of a file. Lines and columns count from 1, columns
// in characters; 0 says that they are not known. Path, Element and Field are empty
// where the problem has none.
type Diagnostic struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path,omitempty"`    // JSON path that leads the message where it is shown
	Element  string   `json:"element,omitempty"` // such as: job "api"
	Field    string   `json:"field,omitempty"`   // such as: request
	Code     *Code    `json:"-"`
	Args     []any    `json:"-"` // of the words of the code; they do not change afterwards
}

// New returns an error at a place of a file.
func New(file string, line, column int, code *Code, args ...any) *Diagnostic {
	return &Diagnostic{File: file, Line: line, Column: column, Severity: Error, Code: code, Args: args}
}

// At returns an error of what a JSON path of a document leads to.
func At(path string, code *Code, args ...any) *Diagnostic {
	return &Diagnostic{File: Document, Severity: Error, Path: path, Code: code, Args: args}
}

// ErrorAt returns an error at a byte of the text of a file.
func ErrorAt(file string, text []byte, offset int, code *Code, args ...any) *Diagnostic {
	line, column := NewPlaces(string(text)).Of(offset)
	return New(file, line, column, code, args...)
}

// Error makes a diagnostic an error: it is its String.
func (d *Diagnostic) Error() string { return d.String() }

// String returns "file:line:column: message" with as much of the place as is
// known, fit to be shown.
func (d Diagnostic) String() string {
	file, text := show.Text(d.File), d.Text()
	switch {
	case d.Line > 0 && d.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", file, d.Line, d.Column, text)
	case d.Line > 0:
		return fmt.Sprintf("%s:%d: %s", file, d.Line, text)
	case d.File != Document && d.File != "":
		return file + ": " + text
	}
	return text
}

// Text returns the message as it is shown where its file and line are: with the
// path that leads it.
func (d Diagnostic) Text() string {
	if d.Path != "" {
		return show.Text(d.Path) + ": " + show.Lines(d.Message())
	}
	return show.Lines(d.Message())
}

// Where is the JSON path, or the field, that the problem is at.
func (d *Diagnostic) Where() string { return cmp.Or(d.Path, d.Field) }

// List has the diagnostics of one or several files, in the order of the places.
type List []Diagnostic

// Errors, Warnings and Notes return the diagnostics of one severity.
func (l List) Errors() List   { return l.only(Error) }
func (l List) Warnings() List { return l.only(Warning) }
func (l List) Notes() List    { return l.only(Note) }

func (l List) only(s Severity) List {
	return l.where(func(d *Diagnostic) bool { return d.Severity == s })
}

// InFile names the file that a document came from in what is wrong with it.
func (l List) InFile(name string) {
	for i := range l {
		if l[i].File == Document {
			l[i].File = name
		}
	}
}

// Of returns the diagnostics of one file.
func (l List) Of(file string) List {
	return l.where(func(d *Diagnostic) bool { return d.File == file })
}

func (l List) where(wanted func(*Diagnostic) bool) List {
	var some List
	for i := range l {
		if wanted(&l[i]) {
			some = append(some, l[i])
		}
	}
	return some
}

// Err returns all errors as one, one a line, or nil if there are none.
func (l List) Err() error {
	var lines []string
	for _, d := range l.Errors() {
		lines = append(lines, d.String())
	}
	if lines == nil {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}
