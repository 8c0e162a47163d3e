package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"berth/engine/show"
)

// Severity says how a diagnostic affects the use of a file.
type Severity uint8

const (
	Note    Severity = iota // information; not a problem
	Warning                 // doubtful input; an error in strict mode
	Error                   // the file cannot be used

	Severities = iota // number of severities
)

var severities = [Severities]string{"note", "warning", "error"}

func (s Severity) String() string { return severities[s] }

// MarshalText returns note, warning or error.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses the output of MarshalText.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severities[:], string(text))
	if i < 0 {
		return fmt.Errorf("severity %q: expected note, warning or error", text)
	}
	*s = Severity(i)
	return nil
}

// Document is the File of a diagnostic about a scenario's document. A caller that
// read the document from a file replaces it with the file's name.
const Document = "scenario"

// Diagnostic is one problem in a file. Lines and columns count from 1, columns in
// characters; 0 means unknown. Path, Element and Field are empty if they do not
// apply.
type Diagnostic struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path,omitempty"`    // JSON path, shown before the message
	Element  string   `json:"element,omitempty"` // such as job "api"
	Field    string   `json:"field,omitempty"`   // such as request
	Code     *Code    `json:"-"`
	Args     []any    `json:"-"` // arguments of the code's words; must not change afterwards
}

// New returns an error at a position in a file. Line and column count from 1; 0 means unknown. args
// fill in the words of the code.
func New(file string, line, column int, code *Code, args ...any) *Diagnostic {
	return &Diagnostic{File: file, Line: line, Column: column, Severity: Error, Code: code, Args: args}
}

// At returns an error about the value at a JSON path of a document.
func At(path string, code *Code, args ...any) *Diagnostic {
	return &Diagnostic{File: Document, Severity: Error, Path: path, Code: code, Args: args}
}

// ErrorAt returns an error at a byte offset in the text of a file.
func ErrorAt(file string, text []byte, offset int, code *Code, args ...any) *Diagnostic {
	line, column := NewPlaces(string(text)).Of(offset)
	return New(file, line, column, code, args...)
}

// Error implements error with the result of String.
func (d *Diagnostic) Error() string { return d.String() }

// String returns "file:line:column: message", omitting unknown parts of the position.
// The result is safe to display.
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

// Text returns the message with its path, for display next to the file and line.
func (d Diagnostic) Text() string {
	if d.Path != "" {
		return show.Text(d.Path) + ": " + show.Lines(d.Message())
	}
	return show.Lines(d.Message())
}

// Where returns the JSON path of the problem, or its field if it has no path.
func (d *Diagnostic) Where() string { return cmp.Or(d.Path, d.Field) }

// List has the diagnostics of one or more files, ordered by position.
type List []Diagnostic

// Errors, Warnings and Notes return the diagnostics of one severity.
func (l List) Errors() List   { return l.only(Error) }
func (l List) Warnings() List { return l.only(Warning) }
func (l List) Notes() List    { return l.only(Note) }

func (l List) only(s Severity) List {
	return l.where(func(d *Diagnostic) bool { return d.Severity == s })
}

// InFile sets the file name of the diagnostics about a document that was read from a file.
func (l List) InFile(name string) {
	for i := range l {
		if l[i].File == Document {
			l[i].File = name
		}
	}
}

// Of returns the diagnostics about one file, by its name.
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

// Err joins all errors into one error with a line for each, or returns nil.
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
