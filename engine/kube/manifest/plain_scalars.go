package manifest

import (
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// longestKey is less than the library's limit for keys in one line.
const longestKey = 1000

// keyEnd returns the position of the colon after the key that begins here, or -1.
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

// startsPlain reports whether an unquoted value may begin here.
func (p *plain) startsPlain() bool {
	switch c := p.text[p.at]; c {
	case '-', '?', ':':
		return !p.blank(1) && !p.is(1, '\t')
	default:
		return strings.IndexByte(",[]{}#&*!|>'\"%@` \t\n", c) < 0
	}
}

// value reads the value after a dash or a key in the same line, and moves to the next
// content.
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

// words reads an unquoted value. Its further lines must be indented beyond column.
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
	n.bare = true
	n.null = n.text == "~" || n.text == "null" || n.text == "Null" || n.text == "NULL"
	p.indentation()
	return n
}

// wordsInLine moves to the end of the words in a line, or to the comment after them.
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

// quoteEnd returns the position after the quoted value that begins here, or -1 if it
// does not end in this line.
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

// unquote returns the content of a quoted value of one line.
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

// library reads a value with the YAML library.
func (p *plain) library(text string) string {
	var n yaml.Node
	p.want(yaml.Unmarshal([]byte(text), &n) == nil && len(n.Content) == 1 && n.Content[0].Kind == yaml.ScalarNode)
	return n.Content[0].Value
}

// literal reads a literal block (|), whose lines must be indented beyond column.
func (p *plain) literal(column int) tree {
	n := p.here(isScalar)
	p.at++
	chomp := byte(0)
	if p.is(0, '-') || p.is(0, '+') {
		chomp = p.text[p.at]
		p.at++
	}
	p.want(p.blank(0) && p.bare())
	end := strings.IndexByte(p.text[p.at:], '\n')
	p.want(end >= 0)
	p.at += end
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
