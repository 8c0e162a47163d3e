package manifest

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"berth/engine/budget"
)

// plain reads JSON and the subset of YAML that kubectl writes, several times faster than the YAML
// library: block collections, and flow collections of short names and quoted values, without
// anchors, tags, tabs and folded blocks. Texts within the subset yield the same trees as with the
// library. For any other text, including invalid YAML, it fails with errNotPlain, and the library
// must read the text.
type plain struct {
	text  string
	at    int // position of the current byte
	start int // start of the current line
	line  int // number of the current line, from 1
	stack []tree
	free  []tree

	budget *budget.Budget

	wide    bool // the text has multi-byte characters
	counted int  // end of the text that runes covers
	runes   int  // characters from the start of the line to counted
}

// unread are fields that Berth never uses and that make up much of kubectl's output.
// plain parses their values to detect errors, then discards them.
var unread = []string{"managedFields", "lastState", "volumeMounts"}

// ending is a panic value: it ends the reading with an error.
type ending struct{ error }

// errNotPlain means that the library must read the text.
var errNotPlain = errors.New("the text is not as plain as kubectl writes it")

func (p *plain) want(ok bool) {
	if !ok {
		panic(ending{errNotPlain})
	}
}

// push charges a value to the budget and puts it on the stack.
func (p *plain) push(n tree) {
	p.take(1)
	p.stack = append(p.stack, n)
}

func (p *plain) take(n int) {
	if err := p.budget.Take(budget.Values, n); err != nil {
		panic(ending{err})
	}
}

// readPlain returns the documents of a text, nil for empty ones; begin is the number
// of its first line. The error is errNotPlain or comes from the budget, with the line
// reached.
func readPlain(text string, begin int, b *budget.Budget) (documents []*tree, line int, err error) {
	return (&plain{text: text, line: begin, budget: b}).documents()
}

func (p *plain) documents() (documents []*tree, line int, err error) {
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
		p.take(1)
		if p.end() || p.marker() {
			documents = append(documents, nil)
			continue
		}
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

// characters reports whether the text has only characters that YAML allows unescaped.
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

// is reports whether the byte at an offset from the current one is c.
func (p *plain) is(ahead int, c byte) bool {
	return p.at+ahead < len(p.text) && p.text[p.at+ahead] == c
}

// blank reports whether white space or the end of the text is at an offset from the
// current byte.
func (p *plain) blank(ahead int) bool {
	return p.at+ahead >= len(p.text) || p.text[p.at+ahead] == ' ' || p.text[p.at+ahead] == '\n'
}

// column returns the current column from 0, or -1 at the end of the text.
func (p *plain) column() int {
	if p.end() {
		return -1
	}
	return p.at - p.start
}

// here returns a node with the current position.
func (p *plain) here(k treeKind) tree {
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

// newLine moves from the end of a line to the next one.
func (p *plain) newLine() {
	p.at++
	p.start = p.at
	p.line++
}

// indentation skips spaces, comments and line ends up to the next content.
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

// bare reports whether only white space or a comment follows in this line.
func (p *plain) bare() bool {
	before := p.at
	p.spaces()
	return p.end() || p.is(0, '\n') || p.is(0, '#') && p.at > before
}

// lineEnd requires the line to end here and moves to the next content.
func (p *plain) lineEnd() {
	p.want(p.bare())
	p.indentation()
}

// block reads the block collection that begins here.
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

// below reads the value in the lines under a dash or a key.
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
			key.bare = true
		}
		p.push(key)
		p.at = end + 1
		p.push(p.kept(key.text, func() tree { return p.named(column, depth) }))
	}
	p.want(p.column() <= column)
	return p.close(n, base)
}

// named reads the value after a key.
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

// kept reads the value of a key. If the field is unread it discards the content, and restores memory
// and budget.
func (p *plain) kept(key string, read func() tree) tree {
	free, taken := p.free, p.budget.Taken(budget.Values)
	value := read()
	if len(value.content) > 0 && slices.Contains(unread, key) {
		value.content, p.free = nil, free
		p.budget.Return(budget.Values, p.budget.Taken(budget.Values)-taken)
	}
	return value
}

// close moves the values on the stack from base on into the content of a collection.
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
