package dot

import "strconv"

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

// compact writes tokens as spell does, but in a form that gonum parses in half
// the time: without what it need not see. An attribute list that is as it should
// be becomes a single attribute whose name and value are the number of its
// bracket, and a semicolon between two statements is left out.
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
		if t.kind == '[' {
			if n := attributeList(tokens[i:]); n > 0 {
				text = strconv.AppendInt(text, int64(i), 10)
				text = append(text, '=')
				text = strconv.AppendInt(text, int64(i), 10)
				i += n
			}
		}
		last = t.kind
	}
	return text
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

// attributeList returns the number of tokens between a bracket and the one that
// closes it, or 0 if there is not a list of attributes, and at least one,
// between the two.
func attributeList(tokens []token) int {
	i := 1
	for ; i+3 < len(tokens) && tokens[i].kind == name && tokens[i+1].kind == '=' && tokens[i+2].kind == name; i += 3 {
		if k := tokens[i+3].kind; k == ',' || k == ';' {
			i++
		}
	}
	if i < len(tokens) && tokens[i].kind == ']' {
		return i - 1
	}
	return 0
}
