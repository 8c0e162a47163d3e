package dot

import (
	"berth/engine/diag"
	"berth/engine/show"
)

// maxSyntaxErrors limits the number of syntax errors before the parser gives up.
const maxSyntaxErrors = 20

// progressStep is the number of bytes between two reports of progress.
const progressStep = 64 << 10

// parser implements the grammar of DOT (https://graphviz.org/doc/info/lang.html) with a method for
// each rule, and passes each complete statement to the builder. A method returns false after a
// syntax error, which it has reported, and at the end of the file.
type parser struct {
	*scanner
	build    *builder
	progress func(offset int)

	t        token     // current token, not yet consumed
	last     tokenKind // kind of the previous token
	depth    int       // nesting of braces
	inList   bool      // between "[" and "]"
	syntax   int       // number of syntax errors so far
	cutOff   bool      // the file ends inside a graph
	reported int       // offset of the last report of progress

	attributes []attribute // of the current statement
	operands   []operand   // of all unfinished edge statements
	nodes      []int32     // nodes of these operands
}

// operand is one end of an edge: a node, a list of nodes, or the nodes of a subgraph. at is the
// position of its first name.
type operand struct {
	nodes []int32
	group *scope // subgraph, which may gain nodes before the statement ends
	at    int32
}

func (p *parser) parse() {
	for p.take(); p.t.kind != end; {
		p.graph()
	}
}

// take moves to the next token. If a directed graph is not allowed, it ends the file here, because
// further errors would obscure the cause.
func (p *parser) take() {
	p.last = p.t.kind
	p.t = p.next()
	if p.directed || p.failed {
		p.t = p.endToken()
	}
}

// accept consumes the current token if it has the given kind.
func (p *parser) accept(k tokenKind) bool {
	if p.t.kind != k {
		return false
	}
	p.take()
	return true
}

// expect consumes the current token and reports an error if it has another kind.
func (p *parser) expect(k tokenKind, want string) (token, bool) {
	t := p.t
	return t, p.accept(k) || p.refuse(want)
}

// refuse reports an unexpected token and returns false. It leaves the end of the file inside a
// graph for graph to report.
func (p *parser) refuse(want string) bool {
	if p.directed || p.failed || p.t.kind == end && p.depth > 0 {
		return false
	}
	found := "the end of the file"
	if p.t.kind != end {
		found = show.Quote(p.src[p.t.start:p.t.end])
	}
	p.errorAt(int(p.t.start), syntaxError, found, want)
	p.syntax++
	if p.syntax > maxSyntaxErrors {
		p.giveUp()
	}
	return false
}

func (p *parser) giveUp() {
	p.pos, p.failed = len(p.src), true
	p.t = p.endToken()
}

// whole reports whether no statement was skipped so far.
func (p *parser) whole() bool { return p.syntax == 0 && !p.failed && !p.directed && !p.cutOff }

// graph parses [strict] graph [name] { statements }.
func (p *parser) graph() {
	const header = 3 // largest number of words before the brace
	open := int(p.t.start)
	isStrict, id := p.accept(strict), token{}
	ok := p.accept(graphKey) || p.accept(digraph)
	if ok && p.t.kind == name {
		id = p.t
		p.take()
	}
	if !ok || p.t.kind != '{' {
		p.refuse(`"graph {" or "strict graph {", with the name of the graph before "{" if it has one`)
		for i := 0; i < header && p.t.kind != '{'; i++ {
			p.take()
		}
		if p.t.kind != '{' {
			p.giveUp()
			return
		}
	}
	p.build.begin(isStrict, p.text(id), open)
	p.block(p.build.root)
	if p.t.kind == end {
		if p.whole() {
			p.errorAt(len(p.src), endsInside, p.line(open))
		}
		p.cutOff = true
	}
	p.build.finish(int(p.t.start), p.whole())
	p.progress(p.pos)
	p.accept('}')
}

// block parses the statements between braces. The closing brace becomes the current token.
func (p *parser) block(s *scope) {
	p.depth++
	if err := p.build.budget.Deeper(p.depth, "subgraphs"); err != nil {
		p.fail(int(p.t.start), diag.Invalid, err)
	}
	p.take()
	for p.t.kind != '}' && p.t.kind != end {
		if at := int(p.t.start); at-p.reported > progressStep {
			p.reported = at
			p.progress(at)
		}
		from := len(p.nodes)
		if p.statement(s) {
			p.accept(';')
		} else {
			p.resume()
		}
		p.nodes = p.nodes[:from]
	}
	p.depth--
}

// resume skips from a syntax error to the beginning of a statement or the end of the block. DOT
// does not require semicolons, so a statement may begin with a word after any token that can end a
// statement.
func (p *parser) resume() {
	depth, first := 0, true
	for ; p.t.kind != end && (depth > 0 || p.t.kind != '}'); first = false {
		if depth == 0 && !p.inList && !first && p.t.kind.begins() && p.last.ends() {
			break
		}
		switch p.t.kind {
		case '[':
			p.inList = true
		case ']', edgeop:
			p.inList = false
		case '{', '}':
			p.inList = false
			depth++
			if p.t.kind == '}' {
				depth -= 2
			}
		}
		p.take()
	}
	p.inList = false
	p.accept(';')
}

// begins reports whether a statement can begin with a token of this kind.
func (k tokenKind) begins() bool {
	return k == name || k == graphKey || k == nodeKey || k == edgeKey || k == subgraph || k == '{'
}

func (k tokenKind) ends() bool { return k == name || k == ']' || k == '}' || k == ';' }

func (p *parser) statement(s *scope) bool {
	switch first := p.t; first.kind {
	case graphKey, nodeKey, edgeKey:
		p.take()
		return p.defaults(first.kind, s)
	case name:
		p.take()
		if p.t.kind == '=' {
			a, ok := p.attribute(first)
			if ok {
				p.build.graphAttribute(a, s)
			}
			return ok
		}
		named, ok := p.nodeList(first, s)
		if !ok || p.t.kind == edgeop {
			return ok && p.edges(named, s)
		}
		ok = p.lists()
		if ok {
			p.build.nodeStatement(named, p.attributes)
		}
		return ok
	case subgraph, '{':
		from, ok := p.subgraph(s)
		if ok && p.t.kind == edgeop {
			return p.edges(from, s)
		}
		ok = ok && p.lists()
		if ok {
			p.build.subgraphStatement(p.attributes)
		}
		return ok
	}
	return p.refuse(`a node, an edge such as "a -- b", attributes in "[ ]" or "}"`)
}

// defaults parses the attributes after node, edge or graph.
func (p *parser) defaults(on tokenKind, s *scope) bool {
	if p.t.kind != '[' {
		return p.refuse(`"[" after the keyword; a node of that name needs quotes`)
	}
	ok := p.lists()
	if ok {
		p.build.defaults(on, p.attributes, s)
	}
	return ok
}

// port parses [: port [: compass]] and ignores it.
func (p *parser) port() bool {
	for range 2 {
		if !p.accept(':') {
			break
		}
		if _, ok := p.expect(name, `the name of a port after ":"`); !ok {
			return false
		}
	}
	return true
}

// lists parses the attribute lists at the end of a statement. It returns false at the end of the
// file, because the statement may be incomplete.
func (p *parser) lists() bool {
	p.attributes = p.attributes[:0]
	for p.t.kind == '[' {
		p.inList = true
		p.take()
		for p.t.kind != ']' {
			key, ok := p.expect(name, `an attribute (name=value) or "]"`)
			if !ok {
				return false
			}
			a, ok := p.attribute(key)
			if !ok {
				return false
			}
			p.attributes = append(p.attributes, a)
			if !p.accept(',') {
				p.accept(';')
			}
		}
		p.inList = false
		p.take()
	}
	return p.t.kind != end
}

// attribute parses = value.
func (p *parser) attribute(key token) (attribute, bool) {
	if _, ok := p.expect('=', `"=" and a value`); !ok {
		return attribute{}, false
	}
	value, ok := p.expect(name, `a value after "="`)
	if !ok {
		return attribute{}, false
	}
	return attribute{p.text(key), p.text(value), key.start, value.start, value.form == html}, true
}

// edges parses the rest of an edge statement after its first operand.
func (p *parser) edges(from operand, s *scope) bool {
	first, ok := len(p.operands), true
	p.operands = append(p.operands, from)
	for ok && p.accept(edgeop) {
		var to operand
		to, ok = p.operand(s)
		p.operands = append(p.operands, to)
	}
	if ok = ok && p.lists(); ok {
		p.build.edgeStatement(p.operands[first:], p.attributes, s)
	}
	p.operands = p.operands[:first]
	return ok
}

func (p *parser) operand(s *scope) (operand, bool) {
	switch t := p.t; t.kind {
	case name:
		p.take()
		return p.nodeList(t, s)
	case subgraph, '{':
		return p.subgraph(s)
	}
	return operand{}, p.refuse(`a node or a subgraph after "--"`)
}

// nodeList parses node { , node }. The first name has been consumed.
func (p *parser) nodeList(first token, s *scope) (operand, bool) {
	from := len(p.nodes)
	for t, ok := first, true; ok; t, ok = p.expect(name, `a node after ","`) {
		p.nodes = append(p.nodes, p.build.mention(p.text(t), t.start, s))
		if !p.port() {
			return operand{}, false
		}
		if !p.accept(',') {
			return operand{nodes: p.nodes[from:len(p.nodes):len(p.nodes)], at: first.start}, true
		}
	}
	return operand{}, false
}

// subgraph parses [subgraph [name]] { statements }.
func (p *parser) subgraph(parent *scope) (operand, bool) {
	at := p.t
	if p.accept(subgraph) && p.t.kind == name {
		at = p.t
		p.take()
	}
	if p.t.kind != '{' {
		return operand{}, p.refuse(`"{" and what is in the subgraph`)
	}
	s := p.build.open(at, parent)
	p.block(s)
	if p.t.kind == end {
		return operand{}, false
	}
	p.take()
	p.build.close(s, parent, at)
	return operand{group: s, at: at.start}, true
}
