package show

import (
	"unicode"
	"unicode/utf8"
)

// MostHeadline is how many characters a headline has at most, unless its first part
// alone has more.
const MostHeadline = 90

// Headline joins the parts of a headline as far as they fit, and returns those that do
// not, each as a sentence.
func Headline(parts []string) (headline string, rest []string) {
	headline = parts[0]
	for _, part := range parts[1:] {
		longer := headline + " · " + part
		if rest == nil && utf8.RuneCountInString(longer) <= MostHeadline {
			headline = longer
		} else {
			rest = append(rest, part+".")
		}
	}
	return headline, rest
}

// Capital returns a text that begins with a capital letter.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
