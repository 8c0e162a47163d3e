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
		{"Quartz, SJs and xPA are no words", ""},
		{"Q", "Q"},
		{"below φ, Q is TTV.", "φ Q TTV"},
		{"", ""},
	} {
		var terms []string
		text := ""
		for _, part := range Explained(test.text) {
			html := app.HTMLString(app.Div().Body(part))
			if _, after, ok := strings.Cut(html, `class="link"`); ok {
				_, word, _ := strings.Cut(after, ">")
				word, _, _ = strings.Cut(word, "<")
				word = strings.TrimSpace(word)
				terms = append(terms, word)
				text += word
				if !strings.Contains(html, definitions[word][:10]) {
					t.Errorf("%s is not defined: %s", word, html)
				}
			}
		}
		if got := strings.Join(terms, " "); got != test.terms {
			t.Errorf("the terms of %q are %q, want %q", test.text, got, test.terms)
		}
	}
}
