package manifest

import (
	"slices"
	"strings"
)

// flow reads a flow collection ([] or {}), which may span several lines.
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
		p.push(p.kept(key.text, func() tree { return p.flowValue(depth + 1) }))
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
		n.bare = true
		n.null = slices.Contains([]string{"null", "Null", "NULL"}, n.text)
	}
	p.at = end
	return n
}
