package graphviz

import "bytes"

// maxDepth bounds the nesting of subgraphs, of fields in a record label and of tags in
// an HTML-like label. Graphviz recurses into each, up to 310 bytes a level, on a stack
// of 64 KiB without a guard: a graph that is nested too deeply overwrites Graphviz's
// data.
const maxDepth = 100

// quoted returns the length of the string that text begins with, and the depth
// of the record fields in it.
func quoted(text []byte) (length, deepest int) {
	open := 0
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1, deepest
		case '\\':
			i++
		case '{':
			open++
			deepest = max(deepest, open)
		case '}':
			open--
		}
	}
	return len(text), deepest
}

// angled returns the length of the HTML-like string that text begins with, and
// the depth of the tags in it.
func angled(text []byte) (length, deepest int) {
	brackets, tags := 0, 0
	for i, c := range text {
		switch {
		case c == '>':
			brackets--
			if brackets == 0 {
				return i + 1, deepest
			}
			if text[i-1] == '/' {
				tags--
			}
		case c == '<':
			brackets++
			if bytes.HasPrefix(text[i+1:], []byte("/")) {
				tags--
			} else if brackets > 1 {
				tags++
				deepest = max(deepest, tags)
			}
		}
	}
	return len(text), deepest
}

// comment returns the length of the comment that begins at dot[i], or 0.
func comment(dot []byte, i int) int {
	text, begin, end := dot[i:], "#", "\n"
	switch {
	case text[0] == '#': // not only where a line begins
	case bytes.HasPrefix(text, []byte("//")):
		begin = "//"
	case bytes.HasPrefix(text, []byte("/*")):
		begin, end = "/*", "*/"
	default:
		return 0
	}
	body, _, found := bytes.Cut(text[len(begin):], []byte(end))
	if !found {
		return len(text)
	}
	return len(begin) + len(body) + len(end)
}

// blank reports whether a text consists only of white space and comments. For such a text Graphviz
// returns no error, or the error of an earlier text.
func blank(dot []byte) bool {
	for i := 0; i < len(dot); i++ {
		if bytes.IndexByte([]byte(" \t\r\n"), dot[i]) >= 0 {
			continue
		}
		n := comment(dot, i)
		if n == 0 {
			return false
		}
		i += n - 1
	}
	return true
}
