package graphviz

import (
	"bytes"

	"berth/engine/dot"
)

// Split returns the graphs of a text, in order. Concatenated they are the text again, without a
// byte order mark, which Graphviz would read as a letter. Text after the last graph is one more
// element unless it is blank.
func Split(text []byte) [][]byte {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	x := dot.NewLexer(text)
	var graphs [][]byte
	for start, depth := 0, 0; ; {
		word := x.Next()
		switch word {
		case "{":
			depth++
		case "}":
			depth--
		}
		if word != "" && (word != "}" || depth > 0) {
			continue
		}
		if rest := text[start:x.At()]; word == "" && len(graphs) > 0 && blank(rest) {
			last := &graphs[len(graphs)-1]
			*last = text[start-len(*last):]
			return graphs
		}
		graphs = append(graphs, text[start:x.At()])
		if word == "" {
			return graphs
		}
		start, depth = x.At(), 0
	}
}
