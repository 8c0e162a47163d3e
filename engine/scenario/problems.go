package scenario

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"berth/engine/diag"
	"berth/engine/packed"
	"berth/engine/parameter"
	"berth/engine/plugin"
	"berth/engine/policy"
	"berth/engine/show"
)

// InputError says everything that is wrong with a document or its inputs.
// Problems of the document carry their JSON path, and the position in the text where
// there was one. Lines and columns of 0 are not known.
type InputError struct{ Diagnostics diag.List }

// Unwrap returns the errors that made the problems.
func (e *InputError) Unwrap() (causes []error) {
	for i := range e.Diagnostics {
		if cause := e.Diagnostics[i].Unwrap(); cause != nil {
			causes = append(causes, cause)
		}
	}
	return causes
}

// MaxProblems bounds what is said about one document.
const MaxProblems = 20

func (e *InputError) Error() string {
	if err := e.Diagnostics.Err(); err != nil {
		return err.Error()
	}
	return ""
}

// Wrong is what is wrong with an input: at a place of its text where the error
// knows that, and else at a path of the document.
func Wrong(path string, err error) *InputError { return wrong(err, diag.At(path, diag.Invalid, err)) }

// WrongIn is [Wrong] of an error that says itself what it is about: its message is
// shown without the field.
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

// Lacks says whether an error is about what this program lacks and another one has: a format,
// a way to unpack a file, or the language of policies.
func Lacks(err error) bool {
	return errors.As(err, new(*plugin.MissingError)) || errors.As(err, new(*packed.Error)) || errors.Is(err, policy.ErrNoLanguage)
}

// Problems collects what is wrong with a document, by JSON path.
type Problems struct {
	List diag.List
	more int
}

// Add adds a problem at a path of the document.
func (p *Problems) Add(path string, code *diag.Code, args ...any) {
	if len(p.List) == MaxProblems {
		p.more++
		return
	}
	p.List = append(p.List, *diag.At(path, code, args...))
}

// Wrong adds an error at a path of the document.
func (p *Problems) Wrong(path string, err error) { p.Add(path, diag.Invalid, err) }

// Err returns the problems as an [*InputError], nil if there are none.
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

// Length bounds the characters of a name.
func (p *Problems) Length(path, name string, most int) {
	p.AtMost(path, "characters", utf8.RuneCountInString(name), most)
}

// AtMost bounds the number of what something has.
func (p *Problems) AtMost(path, what string, n, most int) {
	if n > most {
		p.Add(path, diag.TooMany, n, what, most)
	}
}

// Count bounds a list that must not be empty.
func (p *Problems) Count(path, what string, n, most int) {
	if n == 0 {
		p.Add(path, noEntries, what)
	}
	p.AtMost(path, "entries", n, most)
}

// Within checks that a number lies in [low, high]; unit may be empty.
func (p *Problems) Within(path string, x, low, high float64, unit string) {
	if x >= low && x <= high {
		return
	}
	if unit != "" {
		unit = " " + unit
	}
	p.Add(path, outOfRange, x, show.Number(low), show.Number(high), unit)
}

// Parameters checks the numbers that a document has of parameters; path is its own.
func (p *Problems) Parameters(path string, document any, rows []parameter.Parameter) {
	for _, row := range rows {
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

// OneOf checks a name against the known ones; empty stands for the first.
func (p *Problems) OneOf(path, name string, known ...string) {
	if name != "" && !slices.Contains(known, name) {
		p.Add(path, diag.Unknown, Shorten(name), strings.Join(known, ", "))
	}
}

// Written checks a subject that is written as text, where a document may also have the name
// of one that is known. What the language says of the text, the run says.
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

// Shorten cuts what is quoted in a message.
func Shorten(s string) string { return show.Cut(s, 40) }
