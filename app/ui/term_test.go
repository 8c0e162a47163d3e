package ui

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

func TestFirstUsesAreTerms(t *testing.T) {
	for _, test := range []struct{ text, terms string }{
		{"job api: 1st of 20 in SJ (y = 2)", "SJ"},
		{"CM/NAM, and CM again", "CM NAM"},
		{"Quartz and xPA are no words", ""},
		{"LMs refused what GMs asked an LM", "LM GM"},
		{"Q", "Q"},
		{"below φ, Q is TTV.", "φ Q TTV"},
		{"", ""},
	} {
		var terms []string
		for _, part := range Explained(test.text) {
			term, ok := part.(*Definition)
			if !ok {
				continue
			}
			terms = append(terms, term.Word)
			if html := app.HTMLString(term.Render()); strings.Contains(html, "definition") {
				t.Errorf("the definition of %s stands there before it is asked for: %s", term.Word, html)
			}
			term.open = true
			if html := app.HTMLString(term.Render()); !strings.Contains(html, term.Word+",") && !strings.Contains(html, term.Word+":") {
				t.Errorf("%s is not defined: %s", term.Word, html)
			}
		}
		if got := strings.Join(terms, " "); got != test.terms {
			t.Errorf("the terms of %q are %q, want %q", test.text, got, test.terms)
		}
	}
}
