package show

import (
	"unicode"
	"unicode/utf8"
)

// MostHeadline is the largest number of characters in a headline. Only a long first part may exceed
// it.
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

// Fitted appends parts to a headline until the next one does not fit.
func Fitted(headline string, parts []string) string {
	for _, part := range parts {
		if utf8.RuneCountInString(headline+part) > MostHeadline {
			break
		}
		headline += part
	}
	return headline
}

// Winners says that n subjects are equally good: "A wins", "A and B win", "A and 2 others win".
// name returns their names.
func Winners(n int, name func(i int) string) string {
	if n == 1 {
		return name(0) + " wins"
	}
	others := Count(n-1, "other")
	if n == 2 && len(name(0)+name(1)) <= MostHeadline/3 {
		others = name(1)
	}
	return name(0) + " and " + others + " win"
}

// Every names all n things: "both policies", "all 4 policies".
func Every(n int, thing string) string {
	if n == 2 {
		return "both " + Noun(n, thing)
	}
	return "all " + Count(n, thing)
}

// Capital returns the text with its first letter in upper case.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
