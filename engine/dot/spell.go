package dot

import (
	"strconv"
	"strings"
)

// spell writes tokens for gonum's parser, one a line: names as their number
// among the tokens, the rest as gonum knows it.
func spell(text []byte, tokens []token) []byte {
	for i, t := range tokens {
		text = append(spellToken(text, i, t), '\n')
	}
	return text
}

func spellToken(text []byte, i int, t token) []byte {
	switch t.kind {
	case name:
		return strconv.AppendInt(text, int64(i), 10)
	case edgeop:
		return append(text, "--"...)
	case graphKey, digraph:
		return append(text, "graph"...)
	case nodeKey:
		return append(text, "node"...)
	case edgeKey:
		return append(text, "edge"...)
	case subgraph:
		return append(text, "subgraph"...)
	case strict:
		return append(text, "strict"...)
	}
	return append(text, byte(t.kind))
}

// compact writes tokens as spell does, but in a form that gonum parses in a
// third of the time: without what it need not see. Attribute lists that are as
// they should be are left out behind a node, where the builder finds them again,
// and become a single attribute elsewhere, whose name and value are the number
// of its bracket; so are semicolons between two statements.
func compact(text []byte, tokens []token) []byte {
	last := end
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.kind == ';' && needless(tokens, i) {
			continue
		}
		if last.isWord() && t.kind.isWord() {
			text = append(text, ' ')
		}
		text = spellToken(text, i, t)
		last = t.kind
		if t.kind == '[' {
			if n := attributeList(tokens[i:]); n > 2 {
				text = strconv.AppendInt(text, int64(i), 10)
				text = append(text, '=')
				text = strconv.AppendInt(text, int64(i), 10)
				i += n - 2
			}
		} else if isNode(tokens, i) {
			i += nodeLists(tokens[i+1:])
		}
	}
	return text
}

// isNode reports whether token i ends a node: its name, or that of its port.
func isNode(tokens []token, i int) bool {
	return tokens[i].kind == name && (i == 0 || tokens[i-1].kind != '=' && tokens[i-1].kind != subgraph)
}

// nodeLists returns the number of tokens of the attribute lists that tokens
// begin with, or 0 if one is not as it should be or the statement does not end
// with them.
func nodeLists(tokens []token) int {
	all := 0
	for all < len(tokens) && tokens[all].kind == '[' {
		n := attributeList(tokens[all:])
		if n == 0 {
			return 0
		}
		all += n
	}
	if all == len(tokens) || tokens[all].kind.isWord() || strings.IndexByte(";{}", byte(tokens[all].kind)) >= 0 {
		return all
	}
	return 0
}

func (k kind) isWord() bool {
	switch k {
	case name, graphKey, digraph, nodeKey, edgeKey, subgraph, strict:
		return true
	}
	return false
}

// needless reports whether leaving out a semicolon leaves a right text right
// and a wrong one wrong.
func needless(tokens []token, i int) bool {
	if i == 0 {
		return false
	}
	switch tokens[i-1].kind {
	case name, ']', '}':
		return i+1 == len(tokens) || tokens[i+1].kind.isWord() || tokens[i+1].kind == '}'
	}
	return false
}

// attributeList returns the number of tokens of the attribute list that tokens
// begin with, brackets included, or 0 if that is not as it should be.
func attributeList(tokens []token) int {
	i := 1
	for i+3 < len(tokens) && tokens[i].kind == name && tokens[i+1].kind == '=' && tokens[i+2].kind == name {
		if i += 3; tokens[i].kind == ',' || tokens[i].kind == ';' {
			i++
		}
	}
	if i < len(tokens) && tokens[i].kind == ']' {
		return i + 1
	}
	return 0
}
