// Package diagtest checks properties that diagnostics of every reader must have.
package diagtest

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/diag"
)

// InText checks that the position of a reader's error is inside the text, or directly
// after the end of a line.
func InText(t testing.TB, text string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	d, ok := errors.AsType[*diag.Diagnostic](err)
	if !ok {
		t.Fatalf("the error is %T: %v", err, err)
	}
	lines := strings.Split(text, "\n")
	if d.Line < 1 || d.Line > len(lines) || d.Column < 1 || d.Column > utf8.RuneCountInString(lines[d.Line-1])+1 {
		t.Errorf("%d:%d is not in %q: %v", d.Line, d.Column, text, err)
	}
}
