package dot

import (
	"strings"
	"unicode/utf8"
)

// Quote formats an id or an attribute value for DOT, with quotes only if necessary. It alters a
// text that DOT cannot express; see [Quotable].
func Quote(s string) string {
	switch {
	case isPlain(s):
		return s
	case inQuotes(s):
		return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
	case inBrackets(s):
		return "<" + s + ">"
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	return `"` + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"`, `\"`) + `"`
}

// Quotable reports whether Quote preserves s. DOT cannot express NUL or bytes that are not UTF-8.
// Unless the angle brackets of s are balanced, it cannot express a backslash at the end or before a
// quote or a line break.
func Quotable(s string) bool { return isPlain(s) || inQuotes(s) || inBrackets(s) }

// isPlain reports whether s is an identifier or a numeral.
func isPlain(s string) bool {
	if isWord(s) {
		return keyword(s) == name && strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	}
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return isDigits(whole+fraction) && (fraction != "" || !point)
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isUTF8(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// inQuotes reports whether a quoted string can express s. Backslashes are literal in DOT, but a
// backslash before a quote or a line break forms an escape.
func inQuotes(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		i++
		if i == len(s) || s[i] == '"' || s[i] == '\n' || s[i] == '\r' {
			return false
		}
	}
	return isUTF8(s)
}

// inBrackets reports whether an HTML string can express s.
func inBrackets(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0 && isUTF8(s)
}
