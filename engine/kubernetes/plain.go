package kubernetes

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"

	"berth/engine/budget"
)

// plain reads the YAML that kubectl writes, and JSON, several times faster than the
// library reads all YAML: block collections, and flow collections of short names and
// of quoted values, without anchors, tags, tabs and folded blocks. What it takes it
// reads as the library does; of anything else, and of whatever is wrong, it makes
// nothing, and the text is the library's.
type plain struct {
	text  string
	at    int // the byte that is looked at
	start int // where its line starts
	line  int // of that, from 1
	stack []tree
	free  []tree

	budget *budget.Budget

	wide    bool // there are characters of several bytes
	counted int  // up to there they are
	runes   int  // from the start of the line
}

// unread are collections that nothing here looks into, and that are a good part of
// what kubectl writes. They are read like all others, for what may be wrong with
// them, and then let go.
var unread = []string{"managedFields", "containerStatuses", "initContainerStatuses", "images", "volumeMounts"}

// ending is what ends a reading.
type ending struct{ error }

// errNotPlain says that a text is the library's to read.
var errNotPlain = errors.New("the text is not as plain as kubectl writes it")

func (p *plain) want(ok bool) {
	if !ok {
		panic(ending{errNotPlain})
	}
}

// push puts a value on the stack, out of the budget.
func (p *plain) push(n tree) {
	p.take(1)
	p.stack = append(p.stack, n)
}

func (p *plain) take(n int) {
	if err := p.budget.Take(budget.Values, n); err != nil {
		panic(ending{err})
	}
}

// readPlain returns the documents of a text, nil of an empty one. The error is
// errNotPlain or that of the budget, in the line that the reading came to.
func readPlain(text string, b *budget.Budget) (documents []*tree, line int, err error) {
	p := &plain{text: text, line: 1, budget: b}
	if !p.characters() {
		return nil, 1, errNotPlain
	}
	defer func() {
		if r := recover(); r != nil {
			end, expected := r.(ending)
			if !expected {
				panic(r)
			}
			documents, line, err = nil, p.line, end.error
		}
	}()
	p.indentation()
	for first := true; !p.end(); first = false {
		if p.marker() {
			p.at += 3
			p.lineEnd()
		} else {
			p.want(first)
		}
		if p.end() || p.marker() {
			p.take(1)
			documents = append(documents, nil)
			continue
		}
		p.take(1)
		var root tree
		if p.is(0, '{') || p.is(0, '[') {
			root = p.flow(0)
			p.lineEnd()
		} else {
			root = p.block(0)
		}
		documents = append(documents, &root)
	}
	return documents, p.line, nil
}

// characters says whether a text has those alone that YAML takes as they are.
func (p *plain) characters() bool {
	for i := 0; i < len(p.text); {
		if c := p.text[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(p.text[i:])
		if r == utf8.RuneError || r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			return false
		}
		i += size
		p.wide = true
	}
	return true
}

func (p *plain) end() bool { return p.at == len(p.text) }

// is says whether a byte from here on is c.
func (p *plain) is(ahead int, c byte) bool {
	return p.at+ahead < len(p.text) && p.text[p.at+ahead] == c
}

// blank says whether a byte from here on is white space or the end.
func (p *plain) blank(ahead int) bool {
	return p.at+ahead >= len(p.text) || p.text[p.at+ahead] == ' ' || p.text[p.at+ahead] == '\n'
}

// column counts from 0, and is -1 at the end.
func (p *plain) column() int {
	if p.end() {
		return -1
	}
	return p.at - p.start
}

// here returns a node that begins here.
func (p *plain) here(k kind) tree {
	column := p.at - p.start
	if p.wide {
		if p.counted < p.start || p.counted > p.at {
			p.counted, p.runes = p.start, 0
		}
		p.runes += utf8.RuneCountInString(p.text[p.counted:p.at])
		p.counted, column = p.at, p.runes
	}
	return tree{kind: k, line: int32(p.line), column: int32(column + 1)}
}

func (p *plain) entry() bool { return p.is(0, '-') && p.blank(1) }
func (p *plain) marker() bool {
	return p.column() == 0 && strings.HasPrefix(p.text[p.at:], "---") && p.blank(3)
}

func (p *plain) spaces() {
	for p.is(0, ' ') {
		p.at++
	}
}

// newLine goes to the line behind the one that ends here.
func (p *plain) newLine() {
	p.at++
	p.start = p.at
	p.line++
}

// indentation goes to what is next in this line or those that follow.
func (p *plain) indentation() {
	for {
		p.spaces()
		if p.is(0, '#') {
			if i := strings.IndexByte(p.text[p.at:], '\n'); i >= 0 {
				p.at += i
			} else {
				p.at = len(p.text)
			}
		}
		if !p.is(0, '\n') {
			return
		}
		p.newLine()
	}
}

// bare says whether nothing or a comment follows in this line.
func (p *plain) bare() bool {
	before := p.at
	p.spaces()
	return p.end() || p.is(0, '\n') || p.is(0, '#') && p.at > before
}

// lineEnd goes to what is next behind a line that has to end here.
func (p *plain) lineEnd() {
	p.want(p.bare())
	p.indentation()
}

// block reads the collection that begins here.
func (p *plain) block(depth int) tree {
	p.want(p.budget.Deeper(depth+1, "values") == nil)
	if p.entry() {
		return p.sequence(depth)
	}
	return p.mapping(depth)
}

func (p *plain) sequence(depth int) tree {
	n, column, base := p.here(isList), p.column(), len(p.stack)
	for p.column() == column && p.entry() {
		p.at++
		switch {
		case p.bare():
			p.push(p.below(column, depth))
		case p.entry() || p.keyEnd() >= 0:
			p.push(p.block(depth + 1))
		default:
			p.push(p.value(column, depth+1))
		}
	}
	p.want(p.column() <= column)
	return p.close(n, base)
}

// below reads what is in the lines under a dash or a key.
func (p *plain) below(column, depth int) tree {
	null := p.here(isScalar)
	null.null = true
	p.indentation()
	if p.column() > column {
		return p.block(depth + 1)
	}
	return null
}

func (p *plain) mapping(depth int) tree {
	n, column, base := p.here(isMapping), p.column(), len(p.stack)
	for p.column() == column && !p.marker() {
		end := p.keyEnd()
		p.want(end >= 0 && !p.entry())
		key := p.here(isScalar)
		key.text = p.text[p.at:end]
		if key.text[0] == '"' || key.text[0] == '\'' {
			key.text = p.unquote(key.text)
		} else {
			p.want(key.text != "<<")
		}
		p.push(key)
		p.at = end + 1
		before := p.room()
		p.push(p.kept(&key, p.named(column, depth), before))
	}
	p.want(p.column() <= column)
	return p.close(n, base)
}

// named reads what follows a key.
func (p *plain) named(column, depth int) tree {
	if !p.bare() {
		return p.value(column, depth+1)
	}
	child := p.below(column, depth)
	if child.null && p.column() == column && p.entry() {
		child = p.sequence(depth + 1)
	}
	return child
}

// room is what was free, and what was taken, before a value is read.
type room struct {
	free  []tree
	taken int
}

func (p *plain) room() room { return room{p.free, p.budget.Taken(budget.Values)} }

// kept is a value of a key without what is not looked into, which gives back what it
// took.
func (p *plain) kept(key *tree, value tree, before room) tree {
	if len(value.content) > 0 && slices.Contains(unread, key.text) {
		value.content, p.free = nil, before.free
		p.budget.Return(budget.Values, p.budget.Taken(budget.Values)-before.taken)
	}
	return value
}

// close makes what the stack has from a base on the content of a collection.
func (p *plain) close(n tree, base int) tree {
	content := p.stack[base:]
	if len(content) > len(p.free) {
		p.free = make([]tree, max(4096, len(content)))
	}
	copy(p.free, content)
	n.content, p.free = p.free[:len(content):len(content)], p.free[len(content):]
	clear(content)
	p.stack = p.stack[:base]
	if n.kind == isMapping {
		again, _ := n.twice()
		p.want(again < 0)
	}
	return n
}

// longestKey is less than what the library takes for a key of one line.
const longestKey = 1000

// keyEnd returns where the colon is behind the key that begins here, or -1.
func (p *plain) keyEnd() int {
	if p.end() {
		return -1
	}
	var i int
	if c := p.text[p.at]; c == '"' || c == '\'' {
		i = p.quoteEnd()
		if i < 0 || i >= len(p.text) || p.text[i] != ':' || i+1 < len(p.text) && p.text[i+1] != ' ' && p.text[i+1] != '\n' {
			return -1
		}
	} else {
		if !p.startsPlain() {
			return -1
		}
		for i = p.at; ; i++ {
			if i == len(p.text) || p.text[i] == '\n' || p.text[i] == '#' && p.text[i-1] == ' ' {
				return -1
			}
			p.want(p.text[i] != '\t')
			if p.text[i] == ':' && (i+1 == len(p.text) || p.text[i+1] == ' ' || p.text[i+1] == '\n') {
				break
			}
		}
		p.want(i > p.at && p.text[i-1] != ' ')
	}
	p.want(i-p.at <= longestKey)
	return i
}

// startsPlain says whether a value without quotation marks may begin here.
func (p *plain) startsPlain() bool {
	switch c := p.text[p.at]; c {
	case '-', '?', ':':
		return !p.blank(1) && !p.is(1, '\t')
	default:
		return strings.IndexByte(",[]{}#&*!|>'\"%@` \t\n", c) < 0
	}
}

// value reads what follows a dash or a key in its line, and goes to what is next.
func (p *plain) value(column, depth int) (n tree) {
	switch p.text[p.at] {
	case '{', '[':
		n = p.flow(depth)
	case '"', '\'':
		n = p.quoted()
	case '|':
		return p.literal(column)
	default:
		return p.words(column)
	}
	p.lineEnd()
	return n
}

// words reads a value without quotation marks; its lines beyond the first stand
// further right than a column.
func (p *plain) words(column int) tree {
	p.want(p.startsPlain())
	n, from := p.here(isScalar), p.at
	end, comment := p.wordsInLine()
	lines := 1
	for !comment && !p.end() {
		at, start, line := p.at, p.start, p.line
		for p.is(0, '\n') {
			p.newLine()
			p.spaces()
		}
		if p.end() || p.column() <= column || p.is(0, '#') {
			p.at, p.start, p.line = at, start, line
			break
		}
		end, comment = p.wordsInLine()
		p.want(!comment)
		lines++
	}
	n.text = p.text[from:end]
	if lines > 1 {
		n.text = p.library(n.text)
	}
	n.null = n.text == "~" || n.text == "null" || n.text == "Null" || n.text == "NULL"
	p.indentation()
	return n
}

// wordsInLine goes to the end of the words in a line, or to the comment behind them.
func (p *plain) wordsInLine() (end int, comment bool) {
	for ; !p.is(0, '\n') && !p.end() && !comment; p.at++ {
		c := p.text[p.at]
		p.want(c != '\t' && (c != ':' || !p.blank(1)))
		comment = c == ' ' && p.is(1, '#')
	}
	end = p.at
	for p.text[end-1] == ' ' {
		end--
	}
	return end, comment
}

// quoteEnd returns where the quoted value that begins here has ended, -1 if it does
// not in this line.
func (p *plain) quoteEnd() int {
	mark := p.text[p.at]
	for i := p.at + 1; i < len(p.text) && p.text[i] != '\n'; i++ {
		switch {
		case p.text[i] == '\\' && mark == '"':
			i++
			if i < len(p.text) && p.text[i] == '\n' {
				return -1
			}
		case p.text[i] == mark && mark == '\'' && i+1 < len(p.text) && p.text[i+1] == mark:
			i++
		case p.text[i] == mark:
			return i + 1
		}
	}
	return -1
}

func (p *plain) quoted() tree {
	n := p.here(isScalar)
	if end := p.quoteEnd(); end >= 0 {
		n.text = p.unquote(p.text[p.at:end])
		p.at = end
		return n
	}
	from, mark := p.at, p.text[p.at]
	for p.at++; ; p.at++ {
		p.want(p.at < len(p.text))
		switch c := p.text[p.at]; {
		case c == '\n':
			p.start, p.line = p.at+1, p.line+1
			p.want(p.is(1, ' ') || p.is(1, '\n'))
		case c == '\\' && mark == '"' && !p.is(1, '\n') || c == mark && mark == '\'' && p.is(1, mark):
			p.at++
		case c == mark:
			p.at++
			n.text = p.library(p.text[from:p.at])
			return n
		}
	}
}

// unquote returns what a quoted value of one line says.
func (p *plain) unquote(text string) string {
	inner := text[1 : len(text)-1]
	if text[0] == '\'' {
		return strings.ReplaceAll(inner, "''", "'")
	}
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' {
			continue
		}
		i++
		if strings.IndexByte(`"\nrtbfu`, inner[i]) < 0 {
			return p.library(text)
		}
	}
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	said, err := strconv.Unquote(text)
	if err != nil {
		return p.library(text)
	}
	return said
}

// library has the library read a value.
func (p *plain) library(text string) string {
	var n yaml.Node
	p.want(yaml.Unmarshal([]byte(text), &n) == nil && len(n.Content) == 1 && n.Content[0].Kind == yaml.ScalarNode)
	return n.Content[0].Value
}

// literal reads a block whose lines are kept, which stand further right than a
// column.
func (p *plain) literal(column int) tree {
	n := p.here(isScalar)
	p.at++
	chomp := byte(0)
	if p.is(0, '-') || p.is(0, '+') {
		chomp = p.text[p.at]
		p.at++
	}
	p.want(p.blank(0))
	p.want(p.bare())
	if i := strings.IndexByte(p.text[p.at:], '\n'); i >= 0 {
		p.at += i
	} else {
		p.want(false)
	}
	p.newLine()
	var b strings.Builder
	indent, blanks := -1, 0
	for !p.end() {
		p.spaces()
		if p.end() || p.is(0, '\n') && (indent < 0 || p.column() <= indent) {
			if indent < 0 {
				blanks = max(blanks, p.at-p.start)
			}
			p.want(!p.end() || p.at == p.start)
			if !p.end() {
				b.WriteByte('\n')
				p.newLine()
			}
			continue
		}
		if indent < 0 {
			indent = p.column()
			p.want(indent > column && blanks <= indent && !p.is(0, '\t'))
		}
		if p.column() < indent {
			p.want(!p.is(0, '\t'))
			break
		}
		line, _, ended := strings.Cut(p.text[p.start+indent:], "\n")
		b.WriteString(line)
		p.at = p.start + indent + len(line)
		if ended {
			b.WriteByte('\n')
			p.newLine()
		}
	}
	p.want(indent >= 0)
	n.text = b.String()
	if chomp != '+' {
		said := strings.TrimRight(n.text, "\n")
		if chomp == 0 && len(said) < len(n.text) {
			said += "\n"
		}
		n.text = said
	}
	p.indentation()
	return n
}

// flow reads a value in brackets, which may be of several lines, or in one.
func (p *plain) flow(depth int) tree {
	p.want(p.budget.Deeper(depth+1, "values") == nil)
	n := p.here(isList)
	closing := byte(']')
	if p.is(0, '{') {
		n.kind, closing = isMapping, '}'
	}
	base := len(p.stack)
	p.at++
	for p.flowSpace(); !p.is(0, closing); p.flowSpace() {
		if len(p.stack) > base {
			p.want(p.is(0, ','))
			p.at++
			p.flowSpace()
			if p.is(0, closing) {
				break
			}
		}
		if n.kind == isList {
			p.push(p.flowValue(depth + 1))
			continue
		}
		key := p.flowKey()
		p.push(key)
		p.flowSpace()
		before := p.room()
		p.push(p.kept(&key, p.flowValue(depth+1), before))
	}
	p.at++
	return p.close(n, base)
}

func (p *plain) flowSpace() {
	for p.spaces(); p.is(0, '\n'); p.spaces() {
		p.newLine()
	}
	p.want(!p.end())
}

func (p *plain) flowKey() tree {
	from := p.at
	n := p.flowScalar()
	p.want(p.at-from <= longestKey && p.is(0, ':') && (p.text[from] == '"' || p.blank(1)))
	p.at++
	return n
}

func (p *plain) flowValue(depth int) tree {
	if p.is(0, '{') || p.is(0, '[') {
		return p.flow(depth)
	}
	return p.flowScalar()
}

func (p *plain) flowScalar() tree {
	n := p.here(isScalar)
	end := p.at
	if p.is(0, '"') || p.is(0, '\'') {
		end = p.quoteEnd()
		p.want(end >= 0)
		n.text = p.unquote(p.text[p.at:end])
	} else {
		for end < len(p.text) && (hostByte(p.text[end]) || strings.IndexByte("_/+=@", p.text[end]) >= 0 && end > p.at) {
			end++
		}
		n.text = p.text[p.at:end]
		p.want(n.text != "" && n.text[0] != '.' && (n.text[0] != '-' || p.column() > 0 && len(n.text) > 1))
		n.null = slices.Contains([]string{"null", "Null", "NULL"}, n.text)
	}
	p.at = end
	return n
}
