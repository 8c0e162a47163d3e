package dot

// Lexer splits any text into the tokens that Graphviz sees. Unlike the reader, it reports no
// mistakes and reads 20ms as two names.
type Lexer struct {
	scan scanner
	last token
}

// NewLexer returns a lexer at the beginning of a text.
func NewLexer(text []byte) *Lexer {
	return &Lexer{scan: scanner{problems: &problems{src: string(text)}, undirected: true, verbatim: true}}
}

// Next returns the next token as it is written; "" at the end. Strings joined by + are one token.
func (l *Lexer) Next() string {
	l.last = l.scan.next()
	return l.scan.src[l.last.start:l.last.end]
}

// Name returns the value of the last token, which must be a name or a string.
func (l *Lexer) Name() string { return l.scan.text(l.last) }

// Peek returns the first byte of the next token, 0 at the end.
func (l *Lexer) Peek() byte {
	if l.scan.skip() >= 0 {
		return 0
	}
	return l.scan.peek(0)
}

// At returns the offset after the last token.
func (l *Lexer) At() int { return int(l.last.end) }
