package dot

import (
	"strings"
	"unicode/utf8"

	"berth/engine/diag"
	"berth/engine/show"
)

// tokenKind is the kind of a token in the grammar. A punctuation mark is its own kind.
type tokenKind byte

const (
	end      tokenKind = 0
	name     tokenKind = 'i' // an identifier, numeral, quoted string or HTML string
	edgeop   tokenKind = '-'
	strict   tokenKind = 't'
	graphKey tokenKind = 'g'
	digraph  tokenKind = 'd'
	subgraph tokenKind = 's'
	nodeKey  tokenKind = 'n'
	edgeKey  tokenKind = 'e'
)

// keywords lists the keywords by length. They are case-insensitive.
var keywords = [...][]struct {
	word string
	kind tokenKind
}{
	4: {{"node", nodeKey}, {"edge", edgeKey}},
	5: {{"graph", graphKey}},
	6: {{"strict", strict}},
	7: {{"digraph", digraph}},
	8: {{"subgraph", subgraph}},
}

// keyword returns the kind of a word: a keyword or a name.
func keyword(word string) tokenKind {
	if len(word) < len(keywords) {
		for _, k := range keywords[len(word)] {
			if strings.EqualFold(word, k.word) {
				return k.kind
			}
		}
	}
	return name
}

// form is the notation of a name.
type form byte

const (
	bare    form = iota
	quoted       // without escapes
	escaped      // with \", a line continuation, or several strings joined by +
	html
)

type token struct {
	kind       tokenKind
	form       form
	start, end int32
}

const byteOrderMark = "\uFEFF"

// scanner splits a file into tokens. It reports problems of single tokens and continues. If a
// problem prevents that, it ends the file.
type scanner struct {
	*problems
	pos        int
	before     tokenKind // kind of the token before the last one
	last       tokenKind // kind of the last token
	dashRuns   int       // number of runs longer than "--"
	dashAt     int       // offset of the first one
	undirected bool      // directed graphs are read as undirected
	verbatim   bool      // tokens are Graphviz's, even in a text with mistakes: see Lexer
	arrows     bool      // the graph is directed
	directed   bool      // the error about a directed graph has been reported
	failed     bool
}

func newScanner(p *problems) *scanner {
	s := &scanner{problems: p}
	if strings.HasPrefix(p.src, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	return s
}

// fail reports a problem and ends the file.
func (s *scanner) fail(offset int, code *diag.Code, args ...any) token {
	s.errorAt(offset, code, args...)
	s.pos, s.failed = len(s.src), true
	return s.endToken()
}

func (s *scanner) endToken() token {
	return token{kind: end, start: int32(len(s.src)), end: int32(len(s.src))}
}

// next returns the next token, of kind end at the end of the file.
func (s *scanner) next() token {
	t := s.scan()
	s.before, s.last = s.last, t.kind
	return t
}

func (s *scanner) scan() token {
	for {
		if open := s.skip(); open >= 0 {
			return s.fail(open, openComment)
		}
		if s.pos == len(s.src) {
			return s.endToken()
		}
		start := s.pos
		switch c := s.src[start]; {
		case letter(c):
			if t, ok := s.word(); ok {
				return t
			}
		case digit(c) || c == '.' && digit(s.peek(1)):
			return s.numeral()
		case c == '-':
			return s.dashes()
		case c == '"':
			return s.quoted()
		case c == '<':
			return s.html()
		case classes[c] == mark:
			s.pos++
			return token{kind: tokenKind(c), start: int32(start), end: int32(s.pos)}
		default:
			s.unexpected()
		}
	}
}

type byteClass byte

const (
	other byteClass = iota
	blank
	alpha
	numeric
	mark // a token on its own
)

var classes = func() (of [256]byteClass) {
	for c := range of {
		switch c := byte(c); {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf:
			of[c] = alpha
		case '0' <= c && c <= '9':
			of[c] = numeric
		case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
			of[c] = blank
		case strings.IndexByte("{}[]=;,:", c) >= 0:
			of[c] = mark
		}
	}
	return of
}()

func letter(c byte) bool { return classes[c] == alpha }

func digit(c byte) bool { return classes[c] == numeric }

// peek returns the byte at offset i from the current one, or 0 after the end.
func (s *scanner) peek(i int) byte {
	if s.pos+i < len(s.src) {
		return s.src[s.pos+i]
	}
	return 0
}

// skip moves past blanks and comments. It returns the offset of an unterminated comment, and -1
// otherwise.
func (s *scanner) skip() int {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case classes[c] == blank:
			s.pos++
		case c == '#' && (s.last != '=' || s.verbatim) || c == '/' && s.peek(1) == '/':
			length := strings.IndexByte(s.src[s.pos:], '\n')
			if length < 0 {
				length = len(s.src) - s.pos
			}
			s.pos += length
		case c == '/' && s.peek(1) == '*':
			length := strings.Index(s.src[s.pos+2:], "*/")
			if length < 0 {
				return s.pos
			}
			s.pos += 2 + length + 2
		default:
			return -1
		}
	}
	return -1
}

// typographic maps characters that word processors and PDF readers put into copied text to the
// characters that DOT expects.
var typographic = map[rune]string{
	'“': `"`, '”': `"`, '„': `"`, '‘': `"`, '’': `"`,
	'–': "--", '—': "--", '−': "-", '\u00A0': "a plain space", '\uFEFF': "nothing",
}

// word scans an identifier or keyword. At a typographic character it reports and skips the
// character, and returns false.
func (s *scanner) word() (token, bool) {
	start := s.pos
	for s.pos < len(s.src) && (letter(s.src[s.pos]) || digit(s.src[s.pos])) {
		if s.src[s.pos] < utf8.RuneSelf {
			s.pos++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.src[s.pos:])
		if plain, ok := typographic[r]; ok && !s.verbatim {
			if s.pos == start {
				s.errorAt(start, typographicMark, r, plain)
				s.pos += size
				return token{}, false
			}
			break
		}
		s.pos += size
	}
	t := token{kind: keyword(s.src[start:s.pos]), start: int32(start), end: int32(s.pos)}
	if t.kind == digraph {
		s.refuseDirected(start)
	}
	return t, true
}

func (s *scanner) refuseDirected(offset int) {
	if s.undirected {
		s.arrows = true
	}
	if s.directed || s.undirected {
		return
	}
	s.directed = true
	s.errorAt(offset, directedGraph)
}

// numeral scans [-]?(.[0-9]+|[0-9]+(.[0-9]*)?). Graphviz reads 20ms as two names. Users never
// intend that, so 20ms is one name here, and an error.
func (s *scanner) numeral() token {
	start := s.pos
	if s.src[s.pos] == '-' {
		s.pos++
	}
	for points := 0; s.pos < len(s.src) && (digit(s.src[s.pos]) || s.src[s.pos] == '.' && points == 0); s.pos++ {
		if s.src[s.pos] == '.' {
			points++
		}
	}
	stop := s.pos
	for !s.verbatim && s.pos < len(s.src) && (letter(s.src[s.pos]) || digit(s.src[s.pos]) || s.src[s.pos] == '.') {
		s.pos++
	}
	if sign := s.peek(0); !s.verbatim && exponent(s.src[start:s.pos]) && (sign == '-' || sign == '+') && digit(s.peek(1)) {
		for s.pos++; digit(s.peek(0)); s.pos++ {
		}
	}
	if s.pos > stop {
		s.refuseNumeral(start)
	}
	return token{kind: name, start: int32(start), end: int32(s.pos)}
}

// refuseNumeral reports a name that begins like a number, such as a number with an exponent, which
// DOT does not support.
func (s *scanner) refuseNumeral(start int) {
	text := s.src[start:s.pos]
	if _, ok := show.ParseNumber(text); ok {
		s.errorAt(start, exponentBare, show.Text(text))
		return
	}
	s.errorAt(start, oddNumeral, show.Quote(text))
}

// dashes scans "--", a longer run of dashes as printed in the thesis, or a negative numeral.
func (s *scanner) dashes() token {
	start := s.pos
	for s.peek(0) == '-' && !(s.verbatim && s.pos == start+2) {
		s.pos++
	}
	run := s.pos - start
	switch c := s.peek(0); {
	case c == '>':
		s.pos++
		s.refuseDirected(start)
	case run == 1 && (digit(c) || c == '.'):
		s.pos = start
		return s.numeral()
	case run == 1:
		s.errorAt(start, singleDash)
	case run > 2:
		if s.dashRuns == 0 {
			s.dashAt = start
		}
		s.dashRuns++
	}
	return token{kind: edgeop, start: int32(start), end: int32(s.pos)}
}

// quoted scans a string and the strings joined to it by "+".
func (s *scanner) quoted() token {
	start, f := s.pos, quoted
	for {
		open := s.pos
		undo, closed := s.toQuote()
		if !closed {
			return s.fail(open, openString)
		}
		if undo {
			f = escaped
		}
		t := token{kind: name, form: f, start: int32(start), end: int32(s.pos)}
		if s.skip() >= 0 || s.peek(0) != '+' {
			s.pos = int(t.end)
			return t
		}
		f = escaped
		s.pos++
		if s.skip() >= 0 || s.peek(0) != '"' {
			s.errorAt(s.pos, nothingToJoin)
			return t
		}
	}
}

// toQuote moves past the closing quote of the string that begins here. undo reports whether the
// string has escapes: \" or a backslash at the end of a line. DOT has no others; any other
// backslash is literal.
func (s *scanner) toQuote() (undo, closed bool) {
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '"':
			s.pos++
			return undo, true
		case '\\':
			if c := s.peek(1); c == '"' || c == '\n' || c == '\r' {
				undo = true
			}
			s.pos++
		}
	}
	s.pos = len(s.src)
	return undo, false
}

// html scans an HTML string, whose angle brackets must be balanced.
func (s *scanner) html() token {
	start, depth := s.pos, 0
	for ; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth == 0 {
			s.pos++
			return token{kind: name, form: html, start: int32(start), end: int32(s.pos)}
		}
	}
	return s.fail(start, openHTML)
}

func (s *scanner) unexpected() {
	start := s.pos
	s.pos++
	switch c := s.src[start]; c {
	case '#':
		s.errorAt(start, bareHash)
	case '+':
		s.errorAt(start, strayPlus)
	default:
		s.errorAt(start, strayCharacter, rune(c))
	}
}

// text returns the value of a name token.
func (s *scanner) text(t token) string {
	switch t.form {
	case bare:
		return s.src[t.start:t.end]
	case escaped:
		return unescape(s.src[t.start:t.end])
	}
	return s.src[t.start+1 : t.end-1]
}

// unescape resolves the escapes of a string token and joins its parts.
func unescape(src string) string {
	var b strings.Builder
	parts := scanner{problems: &problems{src: src}}
	for parts.pos < len(src) {
		open := parts.pos + 1
		parts.toQuote()
		undo(&b, src[open:parts.pos-1])
		parts.skip() // and the "+"
		parts.pos++
		parts.skip()
	}
	return b.String()
}

func undo(b *strings.Builder, s string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case s[i] == '"':
			b.WriteByte('"')
		case s[i] == '\n':
		case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
			i++
		default:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
}
