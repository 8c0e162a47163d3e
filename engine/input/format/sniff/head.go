package sniff

import (
	"slices"
	"strings"

	"berth/engine/show"
)

// Syntax is the syntax of a text.
type Syntax uint8

// The syntaxes. Each text has exactly one and is compared only with formats of that
// one.
const (
	Prose Syntax = iota // none of the others
	Empty
	Binary
	XML // and HTML
	JSON
	YAML
	DOT
	GML
	Terms   // Erlang terms
	Table   // fields separated by commas, semicolons, tabs or bars
	Numbers // lines of numbers separated by blanks
	Parts   // concatenated texts: see Section
)

// head is the parsed beginning of a text, shared by all formats.
type head struct {
	text   string
	syntax Syntax
	line   string // first line that is neither empty nor a comment
	next   string // the line after it
	mark   byte   // separator of a table
	fields []string
	// commented says that comments with semicolons precede the first line.
	commented bool
}

const blanks = " \t\r\n"

func headOf(text string) *head {
	h := &head{text: strings.TrimPrefix(text[:min(len(text), Most)], "\ufeff")}
	trimmed := strings.TrimLeft(h.text, blanks)
	switch {
	case isBinary(h.text):
		h.syntax = Binary
		return h
	case trimmed == "":
		h.syntax = Empty
		return h
	}
	h.readLines(trimmed)
	h.syntax = h.syntaxOf(trimmed)
	return h
}

// readLines finds the first two lines that are not comments of a log.
func (h *head) readLines(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Trim(line, blanks)
		switch {
		case line == "":
		case line[0] == ';':
			h.commented = true
		case h.line == "":
			h.line = line
		default:
			h.next = line
			return
		}
	}
}

func isBinary(text string) bool {
	for i := range formats {
		if f := &formats[i]; f.syntax == Binary && f.Name != "binary" && f.fit(&head{text: text}) > 0 {
			return true
		}
	}
	return strings.IndexByte(text, 0) >= 0
}

func (h *head) syntaxOf(text string) Syntax {
	if _, is := Section(text); is {
		return Parts
	}
	switch text[0] {
	case '<':
		return XML
	case '{', '[':
		return h.bracketed(text)
	}
	if line := h.data(); gwfLine(line) {
		h.line = line
	} else if Titles(h.line) && len(strings.Fields(h.next)) >= swfColumns && isNumbers(h.next) {
		h.line, h.next = h.next, ""
	}
	if h.commented || isNumbers(h.line) {
		h.fields = strings.Fields(h.line)
		return Numbers
	}
	switch graph := graphSyntax(uncommented(text)); {
	case mermaid(h) > 0:
		return Prose
	case graph != Prose:
		return graph
	case h.isTable():
		return Table
	case isYAML(text):
		h.fields = yamlKeys(text)
		return YAML
	}
	return Prose
}

// bracketed distinguishes JSON, YAML in flow style, and Erlang terms.
func (h *head) bracketed(text string) Syntax {
	inner := strings.TrimLeft(text[1:], blanks)
	switch {
	case inner == "", strings.IndexByte("\"{[]}", inner[0]) >= 0 && text[0] == '[', inner[0] == '"', inner[0] == '}' && text[0] == '{':
		h.fields = jsonKeys(text)
		return JSON
	case text[0] == '{' && isKey(inner):
		h.fields = yamlKeys(text)
		return YAML
	case text[0] == '[':
		return JSON
	}
	return Terms
}

// Titles reports whether a line has names of the columns of a log, and no numbers.
func Titles(line string) bool {
	words := strings.Fields(line)
	return len(words) >= swfColumns && !slices.ContainsFunc(words, isNumber)
}

// isNumbers reports whether a line begins with a number and consists mostly of
// numbers. It tolerates others: the reader reports mistakes, and Alea lists machines
// in braces.
func isNumbers(line string) bool {
	words, numbers := strings.Fields(line), 0
	for i, word := range words {
		switch _, ok := show.ParseNumber(word); {
		case ok:
			numbers++
		case i == 0:
			return false
		}
	}
	return numbers > 0 && 2*numbers >= len(words)
}

// uncommented removes comments of graphs and of YAML from the beginning.
func uncommented(text string) string {
	for {
		end := ""
		switch {
		case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "#"):
			end = "\n"
		case strings.HasPrefix(text, "/*"):
			end = "*/"
		default:
			return text
		}
		_, text, _ = strings.Cut(text, end)
		text = strings.TrimLeft(text, blanks)
	}
}

// graphSyntax recognises DOT and GML by their first words; Prose if it is neither. In
// GML, graph is a key whose value is a list.
func graphSyntax(text string) Syntax {
	word, rest := graphWord(text)
	switch strings.ToLower(word) {
	case "strict", "digraph", "graph":
		after := uncommented(strings.TrimLeft(rest, blanks))
		switch {
		case !strings.HasPrefix(after, "["):
			if after == "" || strings.IndexByte(":,;=", after[0]) < 0 {
				return DOT
			}
			return Prose
		case word == "graph":
			return GML
		}
		return Prose
	}
	for text != "" {
		var key, value string
		key, text = graphWord(text)
		value, text = graphWord(text)
		switch {
		case key == "graph" && value == "[":
			return GML
		case key == "" || value == "" || value == "[" || strings.ContainsAny(key, `":{}`):
			return Prose
		}
		text = uncommented(strings.TrimLeft(text, blanks))
	}
	return Prose
}

// graphWord splits off a word, a bracket or a string; "" if the text begins with
// something else.
func graphWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, blanks)
	switch {
	case text == "":
		return "", ""
	case text[0] == '[' || text[0] == ']':
		return text[:1], text[1:]
	case text[0] == '"':
		if end := strings.IndexByte(text[1:], '"'); end >= 0 {
			return text[:end+2], text[end+2:]
		}
		return text, ""
	}
	end := strings.IndexAny(text, blanks+"[]{}\"<>=,;:/")
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:]
}

// isTable splits the first line at its most frequent separator. A line with words
// that contain blanks is a header only if the next line has as many fields.
func (h *head) isTable() bool {
	most := 0
	switch {
	case ruler(h.next):
		h.mark, h.fields = ' ', strings.Fields(h.line)
		return true
	case strings.Count(h.data(), ":") > 40:
		h.mark, h.fields = ':', strings.Split(h.data(), ":")
		return true
	}
	for _, mark := range []byte{',', ';', '\t', '|'} {
		if n := strings.Count(h.line, string(mark)); n > most {
			h.mark, most = mark, n
		}
	}
	h.fields = split(h.line, h.mark)
	words := false
	for _, field := range h.fields {
		words = words || strings.Contains(field, " ") || strings.HasSuffix(field, ":")
	}
	if !words {
		return most > 0 && !strings.ContainsAny(h.line[:1], ":{}[]") || h.line == OverheadColumn
	}
	return most > 1 && len(split(h.next, h.mark)) == len(h.fields)
}

// ruler reports whether a line draws dashes below the names of columns.
func ruler(line string) bool {
	return strings.Contains(line, "-- --") && strings.Trim(line, "- ") == ""
}

// split splits a line of a table. Separators within quotation marks do not count.
func split(line string, mark byte) []string {
	var all []string
	start, quoted := 0, false
	for i := 0; i <= len(line); i++ {
		switch {
		case i < len(line) && line[i] == '"':
			quoted = !quoted
		case i == len(line) || line[i] == mark && !quoted && mark != 0:
			all = append(all, strings.Trim(line[start:i], ` "'`))
			start = i + 1
		}
	}
	return all
}

// isYAML reports whether the first line is YAML: the beginning of a document, a key,
// or a list entry that is a mapping, in block or flow style.
func isYAML(text string) bool {
	text = uncommented(text)
	return strings.HasPrefix(text, "---") || strings.HasPrefix(text, "%YAML") || isKey(strings.TrimLeft(strings.TrimPrefix(text, "- "), " {["))
}

// isKey reports whether a text begins with a key: a word and a colon.
func isKey(text string) bool {
	end := strings.IndexByte(text, ':')
	return end > 0 && !strings.ContainsAny(text[:end], blanks+",;{}[]()") &&
		(end+1 == len(text) || strings.IndexByte(blanks, text[end+1]) >= 0)
}

// yamlKeys returns the unindented keys of all documents, and the keys of a mapping in
// flow style on one line.
func yamlKeys(text string) []string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimPrefix(line, "- ")
		keys := []string{line}
		if inner := strings.TrimLeft(line, "{["); inner != line {
			keys = strings.Split(inner, ", ")
		}
		for _, key := range keys {
			if isKey(key) {
				all = append(all, strings.Trim(key[:strings.IndexByte(key, ':')], `"'`))
			}
		}
	}
	return all
}

// jsonKeys returns the keys of an object, or of the first object in a list.
func jsonKeys(text string) []string {
	var all []string
	depth, at := 0, 1
	if text[0] == '[' {
		at = 2
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth < at {
				return all
			}
		case '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				return all
			}
			if depth == at && strings.HasPrefix(strings.TrimLeft(text[end+1:], blanks), ":") {
				all = append(all, text[i+1:end])
			}
			i = end
		}
	}
	return all
}

// unknown describes a text of no known format.
func (h *head) unknown() string {
	switch {
	case h.syntax == Empty:
		return "the file is empty"
	case h.syntax == JSON && len(h.fields) > 0:
		return "found JSON with the keys " + few(h.fields) + ", which no known format has"
	case h.syntax == JSON:
		return "found JSON of an unknown format"
	case h.syntax == YAML:
		return "found YAML with the keys " + few(h.fields) + ", which is not an object of Kubernetes"
	case h.syntax == XML:
		return "found XML of an unknown format"
	case h.header():
		return "found a table with the columns " + few(h.fields) + ", which no known format has"
	}
	return "the format is unknown"
}

// header reports whether the text is a table with column names.
func (h *head) header() bool { return h.syntax == Table && len(h.fields) > 1 && h.named() }

// named reports whether the first line of a table is a header, which has no numbers.
func (h *head) named() bool {
	return !slices.ContainsFunc(h.fields, func(field string) bool { _, number := show.ParseNumber(field); return number })
}

// few lists the first few names.
func few(names []string) string {
	const most, longest = 5, 30
	var shown []string
	for _, name := range names[:min(len(names), most)] {
		if len(name) > longest {
			name = strings.ToValidUTF8(name[:longest], "") + "…"
		}
		shown = append(shown, name)
	}
	if len(names) > most {
		shown = append(shown, "…")
	}
	return strings.Join(shown, ", ")
}
