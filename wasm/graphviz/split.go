package graphviz

import "bytes"

// Split returns the graphs of a text, in order. Concatenated they are the text again,
// except a byte order mark, which Graphviz would read as a letter. Text after the
// last graph is one more element unless it is blank.
func Split(dot []byte) [][]byte {
	dot = bytes.TrimPrefix(dot, []byte("\uFEFF"))
	x := expansion{text: dot}
	var graphs [][]byte
	for start, depth := 0, 0; ; {
		word := x.next()
		switch word {
		case "{":
			depth++
		case "}":
			depth--
		}
		if word != "" && (word != "}" || depth > 0) {
			continue
		}
		if rest := dot[start:x.at]; word == "" && len(graphs) > 0 && blank(rest) {
			last := &graphs[len(graphs)-1]
			*last = dot[start-len(*last):]
			return graphs
		}
		graphs = append(graphs, dot[start:x.at])
		if word == "" {
			return graphs
		}
		start, depth = x.at, 0
	}
}
