package show

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Most is the largest number of characters shown of a name, label or key.
const Most = 200

// Text returns a name, label or key on one line: escaped, and cut to [Most] characters.
func Text(s string) string { return escape(Cut(s, Most), false) }

// Quote returns a name, label or key in quotes, escaped and cut to mostQuoted characters so that
// the rest of a message fits.
func Quote(s string) string { return strconv.Quote(Cut(s, mostQuoted)) }

// mostQuoted is the largest number of characters quoted within a sentence.
const mostQuoted = 60

// Lines escapes a text of several lines, such as messages that quote foreign text. It keeps line
// feeds and does not cut.
func Lines(s string) string { return escape(s, true) }

// Words escapes a text that contains names. It keeps line feeds, and cuts each word to [Most]
// characters.
func Words(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexAny(s, " \n")
		if i < 0 {
			return b.String() + Text(s)
		}
		b.WriteString(Text(s[:i]) + s[i:i+1])
		s = s[i+1:]
	}
}

// plain reports whether Words would not change a text. It is a fast path for most texts.
func plain(s string) bool {
	begun := 0 // where the current word begins
	for i, r := range s {
		switch {
		case r == ' ' || r == '\n':
			begun = i + 1
		case steers(r) || r == utf8.RuneError || i-begun >= Most:
			return false
		}
	}
	return true
}

// Cut cuts a text to most characters and appends an ellipsis if it was longer.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

func escape(s string, lines bool) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, steers) < 0 {
		return s
	}
	var b strings.Builder
	for rest := s; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(rest[0]), 16))
		case steers(r) && !(lines && r == '\n'):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
		rest = rest[size:]
	}
	return b.String()
}

// JSON escapes the control and direction characters that encoding/json leaves in strings. The
// meaning of the JSON text does not change.
func JSON(text []byte) []byte {
	inString := func(r rune) bool { return r >= 0x7f && steers(r) }
	if bytes.IndexFunc(text, inString) < 0 {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		if inString(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

// steers reports whether a character can control a terminal or a line: Unicode's Cc, Zl, Zp and
// Bidi_Control.
func steers(r rune) bool {
	return r < 0x20 || r >= 0x7f && (r <= 0x9f || r == 0x61c || r == 0x200e || r == 0x200f ||
		r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069)
}

// Joined joins the results of say for all elements with a separator.
func Joined[T any](all []T, separator string, say func(T) string) string {
	words := make([]string, len(all))
	for i, x := range all {
		words[i] = say(x)
	}
	return strings.Join(words, separator)
}
