package dot

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"berth/engine/show"
)

// Text returns a .dot file in UTF-8. It decodes graphs whose charset attribute names Latin-1,
// regardless of the position of the attribute, and changes the attribute to UTF-8. A file that is
// already UTF-8 or cannot be decoded is returned unchanged; the reader then reports the reason.
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

// charset is the value of a charset attribute and its position.
type charset struct {
	value      string
	start, end int
}

// undecoded is a decoding error: the offset of a byte that is not UTF-8, and the charset of its
// graph.
type undecoded struct {
	at      int
	charset string
}

// decode converts a text to UTF-8, graph by graph. A graph that is valid UTF-8 stays unchanged
// regardless of its charset attribute. With rename, it changes the charset attribute of decoded
// graphs.
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

// charset moves past the next graph, or to the end of the text. It returns the last charset
// attribute of the graph itself, ignoring subgraphs.
func (s *scanner) charset() (found charset) {
	depth, list := 0, tokenKind(0) // kind of the statement with the current attribute list
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

// isLatin1 reports whether Graphviz treats a charset as Latin-1.
func isLatin1(charset string) bool {
	return slices.Contains([]string{"latin-1", "latin1", "l1", "iso-8859-1", "iso_8859-1", "iso8859-1", "iso-ir-100"}, strings.ToLower(charset))
}

// invalid returns the offset of the first byte that is not UTF-8.
func invalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(s)
}

// latin1 writes a Latin-1 text in UTF-8; each byte is a character.
func latin1(b *strings.Builder, s string) {
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
}

// toText decodes the source to UTF-8. If it cannot, it reports the first undecodable byte and
// returns false.
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
