package show

import (
	"unicode"
	"unicode/utf8"
)

// MostHeadline is the largest number of characters in a headline, unless its first part is longer.
const MostHeadline = 90

// Headline joins as many parts as fit into a headline. It returns the remaining parts as sentences.
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

// Capital returns the text with its first letter in upper case.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
