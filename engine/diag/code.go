package diag

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Code is something that can be wrong with an input. The text.go of each package declares
// the codes of what it finds; the finder gives the arguments of the words.
type Code struct {
	Name  string // in kebab case; scripts tell problems apart by it, so it stays
	Words string // a format of package fmt
}

// New returns an error without a place.
func (c *Code) New(args ...any) *Diagnostic {
	return &Diagnostic{Severity: Error, Code: c, Args: args}
}

// Unwrap returns the first error among the arguments, nil if there is none.
func (d *Diagnostic) Unwrap() error {
	for _, arg := range d.Args {
		if err, ok := arg.(error); ok {
			return err
		}
	}
	return nil
}

// Name returns the name of the code: that of the diagnostic which caused this one, if
// one did.
func (d *Diagnostic) Name() string {
	if cause, ok := errors.AsType[*Diagnostic](d.Unwrap()); ok {
		return cause.Name()
	}
	if d.Code == nil {
		return ""
	}
	return d.Code.Name
}

// Message puts the problem in words, without its place.
func (d *Diagnostic) Message() string {
	if d.Code == nil {
		return ""
	}
	return fmt.Sprintf(d.Code.Words, d.Args...)
}

// Same says whether another diagnostic says the same of the same place.
func (d *Diagnostic) Same(other Diagnostic) bool {
	return d.File == other.File && d.Line == other.Line && d.Column == other.Column && d.Severity == other.Severity && d.Element == other.Element &&
		d.Where() == other.Where() && d.Message() == other.Message()
}

// unnamed is a diagnostic with neither code nor words.
type unnamed Diagnostic

// Wire is a diagnostic in JSON.
type Wire struct {
	unnamed
	Name    string `json:"code" optional:"true"` // documents of earlier versions are without it
	Message string `json:"message"`
}

// MarshalJSON writes the name of the code and the message.
func (d Diagnostic) MarshalJSON() ([]byte, error) {
	return json.Marshal(Wire{unnamed(d), d.Name(), d.Message()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (d *Diagnostic) UnmarshalJSON(data []byte) error {
	var w Wire
	err := json.Unmarshal(data, &w)
	*d = Diagnostic(w.unnamed)
	d.Code, d.Args = &Code{w.Name, "%s"}, []any{w.Message}
	return err
}
