package dot

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"berth/engine/show"
)

// Text returns what a .dot file says in UTF-8. Graphs whose attribute charset names
// Latin-1 are decoded, wherever in the graph it stands, and say UTF-8 from then on.
// A text that is UTF-8 already, or that cannot be decoded, stays as it is: the
// reader then says what is wrong with it.
func Text(file []byte) []byte {
	if utf8.Valid(file) || strings.IndexByte(string(file), 0) >= 0 {
		return file
	}
	text, said := decode(string(file), true)
	if said != nil {
		return file
	}
	return []byte(text)
}

// charset is the value of such an attribute, and where it stands.
type charset struct {
	value      string
	start, end int
}

// undecoded is what keeps a text from being decoded: a byte that is not UTF-8, in a
// graph of this charset.
type undecoded struct {
	at      int
	charset string
}

// decode makes UTF-8 of a text, graph by graph: a graph that is UTF-8 stays as it
// is, whatever it says. With rename, a graph that is decoded says so.
func decode(src string, rename bool) (string, *undecoded) {
	var b strings.Builder
	s := newScanner(&problems{src: src})
	for from := 0; from < len(src); from = s.pos {
		c := s.charset()
		graph := src[from:s.pos]
		switch {
		case utf8.ValidString(graph):
			b.WriteString(graph)
		case !isLatin1(c.value):
			return "", &undecoded{from + invalid(graph), c.value}
		case rename:
			latin1(&b, src[from:c.start])
			b.WriteString(`"utf-8"`)
			latin1(&b, src[c.end:s.pos])
		default:
			latin1(&b, graph)
		}
	}
	return b.String(), nil
}

// charset goes behind the next graph, or to the end of the text, and returns the
// graph's own attribute of that name: the last one, and none of a subgraph.
func (s *scanner) charset() (found charset) {
	depth, list := 0, kind(0) // what the attributes in brackets are of
	var before, key token
	for t := s.next(); t.kind != end; t = s.next() {
		switch t.kind {
		case '{':
			depth++
		case '}':
			depth--
			if depth <= 0 {
				return found
			}
		case '[':
			list = cmp.Or(list, before.kind)
		case ']':
			list = 0
		case name:
			if s.before == '=' && s.text(key) == "charset" && depth == 1 && (list == 0 || list == graphKey) {
				found = charset{s.text(t), int(t.start), int(t.end)}
			}
			key = t
		}
		before = t
	}
	return found
}

// isLatin1 reports whether Graphviz takes a charset for Latin-1.
func isLatin1(charset string) bool {
	return slices.Contains([]string{"latin-1", "latin1", "l1", "iso-8859-1", "iso_8859-1", "iso8859-1", "iso-ir-100"}, strings.ToLower(charset))
}

// invalid returns where the first byte is that is not UTF-8.
func invalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(s)
}

// latin1 writes a text of Latin-1, a letter a byte.
func latin1(b *strings.Builder, s string) {
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
}

// toText decodes the text, or says which byte of it is no text.
func (p *problems) toText() bool {
	if i := strings.IndexByte(p.src, 0); i >= 0 {
		i = min(i, invalid(p.src))
		p.errorAt(i, notUTF8, p.src[i])
		return false
	}
	if utf8.ValidString(p.src) {
		return true
	}
	text, said := decode(p.src, false)
	switch {
	case said == nil:
		p.src = text
		return true
	case said.charset == "" || strings.EqualFold(said.charset, "utf-8") || strings.EqualFold(said.charset, "utf8"):
		p.errorAt(said.at, neitherText, p.src[said.at])
	default:
		p.errorAt(said.at, otherCharset, show.Quote(said.charset))
	}
	return false
}
