package show

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Most is how many characters are shown of a name, label or key.
const Most = 200

// Text returns a name, label or key on one line: escaped, and at most Most
// characters of it.
func Text(s string) string { return escape(Cut(s, Most), false) }

// Quote returns a name, label or key in quotes, escaped and cut to a length that leaves
// room for the rest of a message.
func Quote(s string) string { return strconv.Quote(Cut(s, mostQuoted)) }

// mostQuoted is how many characters stand within a sentence.
const mostQuoted = 60

// Lines returns text of several lines, such as messages that have foreign text
// in them, with all but its line feeds escaped and as long as it is.
func Lines(s string) string { return escape(s, true) }

// Words returns text in which names may stand, with all but its line feeds
// escaped: of what has no space in it, at most Most characters.
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

// plain reports at once of most texts that Words has nothing to do with them.
func plain(s string) bool {
	begun := 0 // where the word begins
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

// Cut returns at most so many characters, and an ellipsis where there are more.
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

// JSON returns JSON text with escapes for what encoding/json leaves as it is in
// strings: it says the same.
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

// steers reports whether a character does more than stand in its line: those of
// Unicode's Cc, Zl, Zp and Bidi_Control.
func steers(r rune) bool {
	return r < 0x20 || r >= 0x7f && (r <= 0x9f || r == 0x61c || r == 0x200e || r == 0x200f ||
		r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069)
}

// Joined writes what say says of each of some things, with a separator between.
func Joined[T any](all []T, separator string, say func(T) string) string {
	words := make([]string, len(all))
	for i, x := range all {
		words[i] = say(x)
	}
	return strings.Join(words, separator)
}
