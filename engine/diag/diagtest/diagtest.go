// Package diagtest holds diagnostics to what every reader promises of them.
package diagtest

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/diag"
)

// InText holds an error of a reader to a place inside the text, or right behind
// its line.
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
