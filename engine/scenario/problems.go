package scenario

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"berth/engine/diag"
	"berth/engine/parameter"
	"berth/engine/policy"
	"berth/engine/show"
)

// InputError has all errors of a document or its inputs. Errors of the document have a
// JSON path, and a position if the text is known. Line and column 0 mean unknown.
type InputError struct{ Diagnostics diag.List }

// Unwrap returns the causes of the errors.
func (e *InputError) Unwrap() (causes []error) {
	for i := range e.Diagnostics {
		if cause := e.Diagnostics[i].Unwrap(); cause != nil {
			causes = append(causes, cause)
		}
	}
	return causes
}

// MaxProblems is the maximum number of errors that are listed for a document.
const MaxProblems = 20

func (e *InputError) Error() string {
	if err := e.Diagnostics.Err(); err != nil {
		return err.Error()
	}
	return ""
}

// Wrong returns an error about an input: at its own position in the text if it has one, otherwise
// at a path of the document.
func Wrong(path string, err error) *InputError { return wrong(err, diag.At(path, diag.Invalid, err)) }

// WrongIn is [Wrong] for an error whose text names its subject; messages omit the field.
func WrongIn(field string, err error) *InputError {
	d := diag.At("", diag.Invalid, err)
	d.Field = field
	return wrong(err, d)
}

func wrong(err error, otherwise *diag.Diagnostic) *InputError {
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok && d.File != "" {
		otherwise = d
	}
	return &InputError{Diagnostics: diag.List{*otherwise}}
}

// Problems collects the errors of a document by JSON path.
type Problems struct {
	List diag.List
	more int
}

// Add adds an error at a path of the document.
func (p *Problems) Add(path string, code *diag.Code, args ...any) {
	if len(p.List) == MaxProblems {
		p.more++
		return
	}
	p.List = append(p.List, *diag.At(path, code, args...))
}

// Wrong adds an error at a path of the document.
func (p *Problems) Wrong(path string, err error) { p.Add(path, diag.Invalid, err) }

// Err returns the errors as an [*InputError]; nil without errors.
func (p *Problems) Err() error {
	if len(p.List) == 0 {
		return nil
	}
	if p.more > 0 {
		p.List = append(p.List, *diag.At("", diag.More, show.Count(p.more, "more problem")))
		p.more = 0
	}
	return &InputError{Diagnostics: p.List}
}

// Length limits the characters of a name.
func (p *Problems) Length(path, name string, most int) {
	p.AtMost(path, "characters", utf8.RuneCountInString(name), most)
}

// AtMost limits a number of things.
func (p *Problems) AtMost(path, what string, n, most int) {
	if n > most {
		p.Add(path, diag.TooMany, n, what, most)
	}
}

// Count limits the length of a list, which must not be empty.
func (p *Problems) Count(path, what string, n, most int) {
	if n == 0 {
		p.Add(path, noEntries, what)
	}
	p.AtMost(path, "entries", n, most)
}

// Within checks that a number is in [low, high]; unit may be empty.
func (p *Problems) Within(path string, x, low, high float64, unit string) {
	if x >= low && x <= high {
		return
	}
	if unit != "" {
		unit = " " + unit
	}
	p.Add(path, outOfRange, x, show.Number(low), show.Number(high), unit)
}

// Row checks the fields of a list element against their parameters. path is the JSON path of the
// element.
func (p *Problems) Row(path string, element any, rows []parameter.Parameter) {
	for i := range rows {
		r := &rows[i]
		at := Field(path, r.JSONPath())
		if x, given := r.Get(element); given && r.Number() {
			p.Within(at, x, r.Low, r.High, r.DocumentUnit())
		}
		p.choice(at, element, r)
	}
}

// Parameters checks the parameters of a document, which is at path.
func (p *Problems) Parameters(path string, document any, rows []parameter.Parameter) {
	for _, row := range rows {
		p.choice(Field(path, row.JSONPath()), document, &row)
		x, given := row.Get(document)
		if !given || row.Check(x) == nil {
			continue
		}
		expected := row.Expected()
		if row.Time() && !row.Above {
			expected = "a number from " + expected
		}
		p.Add(Field(path, row.JSONPath()), diag.Unexpected, x, expected)
	}
}

// choice checks a name in the document against its choices.
func (p *Problems) choice(path string, document any, c *parameter.Parameter) {
	if c.Choices == nil {
		return
	}
	if name := c.Named(document); !slices.Contains(c.Names(), name) {
		p.Add(path, diag.Unknown, Shorten(name), strings.Join(c.Names(), ", "))
	}
}

// OneOf checks that a name is known; an empty name is the default.
func (p *Problems) OneOf(path, name string, known ...string) {
	if name != "" && !slices.Contains(known, name) {
		p.Add(path, diag.Unknown, Shorten(name), strings.Join(known, ", "))
	}
}

// Written checks a subject that is written as text, in a document that may also name a built-in
// one. Only the run reports errors in the text.
func (p *Problems) Written(path, name string, t *policy.Text, known []string) {
	switch err := t.Check(); {
	case name != "":
		p.Add(path+".policy", nameAndPolicy, Shorten(name))
	case err != nil:
		p.Wrong(path+".policy", err)
	case slices.Contains(known, t.Name):
		p.Add(path+".policy.name", builtInName, t.Name)
	}
}

// Field appends a key to a JSON path.
func Field(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Shorten cuts a quotation in a message.
func Shorten(s string) string { return show.Cut(s, 40) }
