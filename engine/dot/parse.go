package dot

import (
	"sort"
	"strconv"
	"strings"

	gonum "gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"

	"berth/engine/diag"
)

const (
	// chunkTokens is how many tokens gonum's parser gets at once, if the
	// statements allow.
	chunkTokens = 1 << 12
	// maxStatement bounds the tokens of one statement, which gonum's parser
	// must see in one piece.
	maxStatement = 4 << 20
	// maxChain bounds the edges that follow each other in one statement:
	// gonum's checks call themselves once for each.
	maxChain = 1000
	// maxSyntaxErrors bounds the work of stepping over bad statements.
	maxSyntaxErrors = 20
)

// parser cuts the tokens of a file into pieces that gonum's parser can take,
// the header of a graph and runs of whole statements, and hands the syntax trees
// to the builder.
type parser struct {
	*scanner
	build    *builder
	maxDepth int
	progress func(offset int)

	tokens     []token // of the header or statements at hand
	starts     []int   // where among them each outermost statement starts
	text       []byte
	depth      int
	open       int   // offset where the graph begins
	inBrackets bool  // between [ and ]
	chains     []int // edges of the statement so far, for each open brace
	chained    int   // their sum
	syntax     int   // errors so far
	cutOff     bool  // the file ends inside a graph
}

func (p *parser) parse() {
	for t := p.next(); t.kind != end && !p.directed && p.syntax <= maxSyntaxErrors; t = p.next() {
		if p.depth == 0 {
			p.header(t)
		} else {
			p.statement(t)
		}
	}
	if p.depth > 0 {
		if p.whole() {
			p.errorAt(len(p.src), `the file ends inside the graph that begins in line %d: add "}" or what else is missing`, p.line(p.open))
		}
		p.cutOff = true
		p.dropLast()
		p.closeGraph(p.endToken())
	} else if len(p.tokens) > 0 && p.whole() {
		p.readHeader(p.endToken())
	}
}

// whole reports whether no statement was left out so far. A graph that turns
// out to be directed is read no further: what it lacks would bury the cause.
func (p *parser) whole() bool { return p.syntax == 0 && !p.failed && !p.directed && !p.cutOff }

// dropLast takes back the statement that the end of the file cuts off.
func (p *parser) dropLast() {
	if n := len(p.starts); n > 0 {
		p.tokens, p.starts = p.tokens[:p.starts[n-1]], p.starts[:n-1]
	}
}

// header takes a token outside of any graph.
func (p *parser) header(t token) {
	const longest = 3 // strict graph name
	if t.kind != '{' && len(p.tokens) < longest {
		p.tokens = append(p.tokens, t)
		return
	}
	p.readHeader(t)
	if t.kind != '{' {
		p.pos, p.failed = len(p.src), true
		return
	}
	p.depth, p.chains, p.chained, p.inBrackets = 1, append(p.chains[:0], 0), 0, false
}

// readHeader begins a graph with the tokens before next, which should be a
// brace.
func (p *parser) readHeader(next token) {
	p.open = int(append(p.tokens, next)[0].start)
	p.text = append(spell(p.text[:0], p.tokens), p.src[next.start:next.end]...)
	if next.kind == '{' {
		p.text = append(p.text, '}')
	}
	file, err := gonum.ParseBytes(p.text)
	if err != nil {
		p.syntaxError(p.tokens, errorLine(err), next, `"graph {" or "strict graph {", with the name of the graph before "{" if it has one`)
		file = &ast.File{Graphs: []*ast.Graph{{}}}
	}
	if next.kind == '{' {
		p.build.begin(file.Graphs[0], p.tokens, p.open)
	}
	p.tokens = p.tokens[:0]
}

// statement takes a token inside a graph.
func (p *parser) statement(t token) {
	if p.startsStatement(t) {
		p.chained -= p.chains[p.depth-1]
		p.chains[p.depth-1] = 0
		if p.depth == 1 {
			if len(p.tokens) >= chunkTokens {
				p.flush(t)
			}
			p.starts = append(p.starts, len(p.tokens))
		}
	}
	p.inBrackets = t.kind == '[' || p.inBrackets && !strings.ContainsRune("]{}-", rune(t.kind))
	switch t.kind {
	case edgeop:
		p.chains[p.depth-1]++
		p.chained++
	case '{':
		p.depth++
		p.chains = append(p.chains, 0)
	case '}':
		p.depth--
		p.chained -= p.chains[p.depth]
		p.chains = p.chains[:p.depth]
	}
	if p.depth == 0 {
		p.closeGraph(t)
		return
	}
	p.tokens = append(p.tokens, t)
	p.checkBounds(t)
}

func (p *parser) closeGraph(brace token) {
	p.flush(brace)
	p.build.finish(p.whole())
	p.depth = 0
}

func (p *parser) checkBounds(t token) {
	switch {
	case p.depth > p.maxDepth:
		p.fail(int(t.start), "subgraphs are nested more than %d deep, which is the limit", p.maxDepth)
	case p.chained > maxChain:
		p.fail(int(t.start), "more than %d edges in one chain: write them as statements of their own", maxChain)
	case len(p.tokens) > maxStatement:
		p.fail(int(p.tokens[0].start), "a single statement of more than %d words and marks: take its content out of the subgraph", maxStatement)
	}
}

// startsStatement reports whether t begins a statement: DOT does not ask for
// a semicolon between two, and a name or keyword cannot go on behind one of
// these.
func (p *parser) startsStatement(t token) bool {
	n := len(p.tokens)
	if p.inBrackets {
		return false
	}
	switch t.kind {
	case name, graphKey, nodeKey, edgeKey, subgraph, '{':
	default:
		return false
	}
	if n == 0 {
		return true
	}
	switch p.tokens[n-1].kind {
	case ';', ']', '{', '}':
		return true
	case name:
		return t.kind != '{' && (n < 2 || p.tokens[n-2].kind != subgraph)
	}
	return false
}

// flush parses the statements at hand, of which next is not part. A statement
// with an error is left out.
func (p *parser) flush(next token) {
	for first := 0; first < len(p.tokens); {
		bad, ok := p.piece(p.tokens[first:])
		if ok {
			break
		}
		p.syntaxError(p.tokens, first+bad, next, "")
		k := sort.SearchInts(p.starts, first+bad+1) // starts behind the error
		if k > 0 && p.starts[k-1] > first {
			p.piece(p.tokens[first:p.starts[k-1]])
		}
		if k == len(p.starts) || p.syntax > maxSyntaxErrors {
			break
		}
		first = p.starts[k]
	}
	p.tokens, p.starts = p.tokens[:0], p.starts[:0]
	p.progress(p.pos)
}

// piece hands statements to gonum's parser and what it makes of them to the
// builder. Where that is not possible it returns the number of the token at
// which it ends, len(tokens) for the one behind them.
func (p *parser) piece(tokens []token) (bad int, ok bool) {
	p.text = append(compact(append(p.text[:0], "graph{"...), tokens), '}')
	if file, err := gonum.ParseBytes(p.text); err == nil {
		p.build.statements(file.Graphs[0].Stmts, tokens)
		return 0, true
	}
	const before = "graph\n{\n"
	p.text = append(spell(append(p.text[:0], before...), tokens), '}')
	_, err := gonum.ParseBytes(p.text)
	return errorLine(err) - strings.Count(before, "\n"), false
}

// errorLine returns the line in one of gonum's syntax errors, counted from 0.
func errorLine(err error) int {
	if err == nil {
		return 0
	}
	line, _, _ := strings.Cut(err.Error(), ":")
	n, _ := strconv.Atoi(line)
	return n - 1
}

// syntaxError says in words what does not fit where: gonum's own error names
// the numbers that stand for names. bad is the number of the token, that of next
// if it is none of them.
func (p *parser) syntaxError(tokens []token, bad int, next token, want string) {
	p.syntax++
	bad = min(max(bad, 0), len(tokens))
	at := next
	if bad < len(tokens) {
		at = tokens[bad]
	}
	found := "the end of the file"
	if at.kind != end {
		found = diag.Quote(p.src[at.start:at.end])
	}
	if want == "" {
		want = expected(tokens[:bad])
	}
	p.errorAt(int(at.start), "syntax error at %s: expected %s", found, want)
}

// expected says what may follow these tokens of a graph.
func expected(before []token) string {
	inBrackets := false
	for _, t := range before {
		inBrackets = t.kind == '[' || inBrackets && !strings.ContainsRune("]{}-", rune(t.kind))
	}
	last, beforeLast := end, end
	if n := len(before); n > 0 {
		last = before[n-1].kind
		if n > 1 {
			beforeLast = before[n-2].kind
		}
	}
	switch {
	case last == '=':
		return `a value behind "="`
	case last == edgeop:
		return `a node or a subgraph behind "--"`
	case last == ':':
		return `the name of a port behind ":"`
	case inBrackets && last == name && beforeLast != '=':
		return `"=" and a value`
	case inBrackets:
		return `an attribute (name=value) or "]"`
	case last == graphKey || last == nodeKey || last == edgeKey:
		return `"[" behind the keyword, which must stand in quotes if it is the name of a node`
	}
	return `a node, an edge such as "a -- b", attributes in "[ ]" or "}"`
}
