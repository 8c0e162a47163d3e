package graphviz

import (
	"bytes"
	"html"
)

// Arrange makes a drawing from [Sanitise] readable: it moves edges below clusters and nodes, so
// that no edge covers a label. It replaces the title of each element by name(id), unless that is
// "".
func Arrange(svg []byte, name func(id string) string) []byte {
	start := bytes.Index(svg, []byte(`class="graph"`))
	if start < 0 {
		return svg
	}
	start += bytes.IndexByte(svg[start:], '>') + 1
	head, rest := svg[:start], svg[start:]
	var before, edges, others []byte
	for {
		i := bytes.Index(rest, []byte("<g "))
		end := bytes.Index(rest, []byte("</g>"))
		if i < 0 || end < i {
			break // the end of the graph
		}
		if before == nil {
			before = rest[:i]
		}
		element := rest[i : i+groupLength(rest[i:])]
		rest = rest[i+len(element):]
		tag := element[:bytes.IndexByte(element, '>')+1]
		to := &others
		if bytes.Contains(tag, []byte(`class="edge`)) {
			to = &edges
		}
		*to = append(append(*to, '\n'), renamed(element, name(attribute(tag, "id")))...)
	}
	return bytes.Join([][]byte{head, before, edges, others, rest}, nil)
}

// groupLength returns the length in bytes of the <g> element at the beginning of svg.
func groupLength(svg []byte) int {
	depth, at := 0, 0
	for {
		i := bytes.IndexByte(svg[at:], '<')
		if i < 0 {
			return len(svg)
		}
		at += i
		switch {
		case bytes.HasPrefix(svg[at:], []byte("</g>")):
			depth--
			if depth == 0 {
				return at + len("</g>")
			}
		case bytes.HasPrefix(svg[at:], []byte("<g>")), bytes.HasPrefix(svg[at:], []byte("<g ")):
			if end := bytes.IndexByte(svg[at:], '>'); end > 0 && svg[at+end-1] != '/' {
				depth++
			}
		}
		at++
	}
}

func attribute(tag []byte, name string) string {
	_, value, _ := bytes.Cut(tag, []byte(" "+name+`="`))
	value, _, _ = bytes.Cut(value, []byte(`"`))
	return html.UnescapeString(string(value))
}

// renamed replaces the text of the first title of an element.
func renamed(element []byte, name string) []byte {
	before, rest, found := bytes.Cut(element, []byte("<title>"))
	_, after, closed := bytes.Cut(rest, []byte("</title>"))
	if name == "" || !found || !closed {
		return element
	}
	return bytes.Join([][]byte{before, []byte("<title>" + html.EscapeString(name) + "</title>"), after}, nil)
}
