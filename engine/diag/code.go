package diag

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Code is a kind of problem. Each package declares its codes in text.go; the place
// that finds a problem supplies the arguments of the message.
type Code struct {
	Name  string // in kebab case; must not change, because scripts compare it
	Words string // format of the message, for package fmt
	// Repair is a document field that, when set, makes the reader accept the input; "" for none.
	Repair string
}

// New returns an error without a position. args fill in the words of the code.
func (c *Code) New(args ...any) *Diagnostic {
	return &Diagnostic{Severity: Error, Code: c, Args: args}
}

// Unwrap returns the first error among the arguments, or nil.
func (d *Diagnostic) Unwrap() error {
	for _, arg := range d.Args {
		if err, ok := arg.(error); ok {
			return err
		}
	}
	return nil
}

// Name returns the name of the code. If another diagnostic caused this one, it returns the name of
// that diagnostic's code.
func (d *Diagnostic) Name() string {
	if cause, ok := errors.AsType[*Diagnostic](d.Unwrap()); ok {
		return cause.Name()
	}
	if d.Code == nil {
		return ""
	}
	return d.Code.Name
}

// Repair returns the document field that, when set, makes the reader accept the input; "" for none.
func (d *Diagnostic) Repair() string {
	if d.Code == nil {
		return ""
	}
	return d.Code.Repair
}

// Message returns the message without its position.
func (d *Diagnostic) Message() string {
	if d.Code == nil {
		return ""
	}
	return fmt.Sprintf(d.Code.Words, d.Args...)
}

// Same reports whether two diagnostics have equal messages and positions.
func (d *Diagnostic) Same(other Diagnostic) bool {
	return d.File == other.File && d.Line == other.Line && d.Column == other.Column && d.Severity == other.Severity && d.Element == other.Element &&
		d.Where() == other.Where() && d.Message() == other.Message()
}

// unnamed is a Diagnostic without its methods.
type unnamed Diagnostic

// Wire is the JSON form of a diagnostic.
type Wire struct {
	unnamed
	Name    string `json:"code" optional:"true"` // missing in documents of earlier versions
	Message string `json:"message"`
	Repair  string `json:"repair,omitempty"`
}

// MarshalJSON includes the name of the code and the message.
func (d Diagnostic) MarshalJSON() ([]byte, error) {
	return json.Marshal(Wire{unnamed(d), d.Name(), d.Message(), d.Repair()})
}

// UnmarshalJSON parses the output of MarshalJSON.
func (d *Diagnostic) UnmarshalJSON(data []byte) error {
	var w Wire
	err := json.Unmarshal(data, &w)
	*d = Diagnostic(w.unnamed)
	d.Code, d.Args = &Code{w.Name, "%s", w.Repair}, []any{w.Message}
	return err
}
