package diag

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameLength is how many characters of a name or key are shown at most: what
// comes from a file or a link may have a million.
const nameLength = 200

// Name is a name or key from outside as the page shows it: cut, and with an
// escape for each character that cannot be seen or turns others around.
func Name(text string) string {
	if len(text) <= nameLength && strings.IndexFunc(text, unseen) < 0 {
		return text
	}
	var b strings.Builder
	left := nameLength
	for i, r := range text {
		if left--; left == 0 && utf8.RuneCountInString(text[i:]) > 1 {
			return b.String() + "…"
		}
		if unseen(r) {
			escaped := strconv.QuoteRuneToASCII(r)
			b.WriteString(escaped[1 : len(escaped)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Words is a text in which names may stand, as the page shows it: what has no
// space in it is shown as by [Name], and lines stay lines.
func Words(text string) string {
	i := strings.IndexAny(text, " \n")
	if i < 0 {
		return Name(text)
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexAny(text, " \n") {
		b.WriteString(Name(text[:i]) + text[i:i+1])
		text = text[i+1:]
	}
	return b.String() + Name(text)
}

// unseen reports whether a character is a control character, or one that says
// how others are laid out.
func unseen(r rune) bool {
	return unicode.IsControl(r) || r >= '\u200b' && r <= '\u200f' || r >= '\u202a' && r <= '\u202e' || r >= '\u2060' && r <= '\u206f' || r == '\ufeff'
}
