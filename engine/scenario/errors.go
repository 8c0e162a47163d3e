package scenario

import (
	"fmt"
	"strings"

	"berth/engine/dot"
)

// InputError says everything that is wrong with a document or its graphs.
// Problems of the document carry the JSON path in Field and at the head of the
// message, and the position in the text where there was one.
type InputError struct {
	Diagnostics dot.Diagnostics
}

// DocumentName stands for the document in diagnostics; whoever read it from a
// file puts the name of the file there.
const DocumentName = "scenario"

// maxProblems bounds what is said about one document.
const maxProblems = 20

func (e *InputError) Error() string {
	lines := make([]string, 0, len(e.Diagnostics))
	for _, d := range e.Diagnostics {
		if d.Severity != dot.Error {
			continue
		}
		if d.Line == 0 {
			lines = append(lines, d.Message)
			continue
		}
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// problems collects what is wrong, by JSON path.
type problems struct {
	list dot.Diagnostics
	more int
}

func (p *problems) add(path, format string, args ...any) {
	if len(p.list) == maxProblems {
		p.more++
		return
	}
	message := fmt.Sprintf(format, args...)
	if path != "" {
		message = path + ": " + message
	}
	p.list = append(p.list, dot.Diagnostic{File: DocumentName, Severity: dot.Error, Field: path, Message: message})
}

// err returns the problems as an error, nil if there are none.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	if p.more > 0 {
		p.list = append(p.list, dot.Diagnostic{
			File: DocumentName, Severity: dot.Error, Message: fmt.Sprintf("and %d more problems", p.more),
		})
		p.more = 0
	}
	return &InputError{Diagnostics: p.list}
}
