package sniff

import (
	"regexp"
	"slices"
	"strings"

	"berth/engine/show"
)

// Syntax is the syntax of a text.
type Syntax uint16

// The syntaxes. A text has exactly one syntax and is compared only with formats that include it. A
// format may have several.
const (
	Prose Syntax = 1 << iota // none of the others
	Empty
	Binary
	XML // includes HTML
	JSON
	YAML
	DOT
	GML
	Terms   // Erlang terms
	Table   // fields separated by commas, semicolons, tabs or bars
	Numbers // lines of numbers separated by blanks
	Parts   // concatenated texts: see Section
)

// Head is the parsed beginning of a text, shared by all formats.
type Head struct {
	Text   string
	Syntax Syntax
	Line   string // first line that is neither empty nor a comment
	Next   string // the line after it
	Mark   byte   // separator of a table
	Fields []string
	// Commented says that comments with semicolons precede the first line.
	Commented bool
}

const blanks = " \t\r\n"

func headOf(text string) *Head {
	h := &Head{Text: strings.TrimPrefix(text[:min(len(text), Most)], "\ufeff")}
	trimmed := strings.TrimLeft(h.Text, blanks)
	switch {
	case isBinary(h.Text):
		h.Syntax = Binary
		return h
	case trimmed == "":
		h.Syntax = Empty
		return h
	}
	h.readLines(trimmed)
	h.Syntax = h.syntaxOf(trimmed)
	return h
}

// readLines finds the first two lines that are not comments. Logs begin with comments.
func (h *Head) readLines(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Trim(line, blanks)
		switch {
		case line == "":
		case line[0] == ';':
			h.Commented = true
		case h.Line == "":
			h.Line = line
		default:
			h.Next = line
			return
		}
	}
}

func isBinary(text string) bool {
	for _, f := range own {
		if f.Syntax == Binary && f.Name != "binary" && f.Fit(&Head{Text: text}) > 0 {
			return true
		}
	}
	return strings.IndexByte(text, 0) >= 0
}

func (h *Head) syntaxOf(text string) Syntax {
	if _, is := Section(text); is {
		return Parts
	}
	switch text[0] {
	case '<':
		return XML
	case '{', '[':
		return h.bracketed(text)
	}
	if line := h.data(); GWFLine(line) {
		h.Line = line
	} else if Titles(h.Line) && len(strings.Fields(h.Next)) >= swfColumns && isNumbers(h.Next) {
		h.Line, h.Next = h.Next, ""
	}
	if h.Commented || isNumbers(h.Line) {
		h.Fields = strings.Fields(h.Line)
		return Numbers
	}
	switch graph := graphSyntax(uncommented(text)); {
	case Mermaid(h) > 0:
		return Prose
	case graph != Prose:
		return graph
	case h.isTable():
		return Table
	case isYAML(text):
		h.Fields = yamlKeys(text)
		return YAML
	}
	return Prose
}

// bracketed distinguishes JSON, YAML in flow style, and Erlang terms.
func (h *Head) bracketed(text string) Syntax {
	inner := strings.TrimLeft(text[1:], blanks)
	switch {
	case inner == "", strings.IndexByte("\"{[]}", inner[0]) >= 0 && text[0] == '[', inner[0] == '"', inner[0] == '}' && text[0] == '{':
		h.Fields = jsonKeys(text)
		return JSON
	case text[0] == '{' && isKey(inner):
		h.Fields = yamlKeys(text)
		return YAML
	case text[0] == '[':
		return JSON
	}
	return Terms
}

// Titles reports whether a line is a header of a log: at least as many words as a log has columns,
// and no numbers.
func Titles(line string) bool {
	words := strings.Fields(line)
	return len(words) >= swfColumns && !slices.ContainsFunc(words, IsNumber)
}

// isNumbers reports whether a line begins with a number and consists mostly of numbers. Other words
// are allowed, so that the reader can report mistakes. Logs of the simulator Alea also list
// machines in braces.
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

// Patterns for the beginning of a graph: in DOT a keyword that is not followed by a colon, and in
// GML the key graph with its list, possibly after pairs of keys and values.
const (
	blankOrComment = `(?:\s|//[^\n]*(?:\n|$)|/\*(?s:.*?)(?:\*/|$))`
	gap            = `(?:` + blankOrComment + `|#[^\n]*(?:\n|$))*`
	gmlWord        = `[^\s\[\]{}"<>=,;:/]+`
)

var (
	comments  = regexp.MustCompile(`^` + gap)
	beginsDOT = regexp.MustCompile(`^(?i:strict|digraph|graph)(?:$|[{}\]"<>]|` + blankOrComment + gap + `(?:$|[^\[:,;=\s/#]))`)
	beginsGML = regexp.MustCompile(`^(?:` + gmlWord + `\s+(?:` + gmlWord + `|"[^"]*")` + gap + `)*graph\s*\[`)
)

// uncommented removes the comments of DOT and YAML from the beginning of a text.
func uncommented(text string) string { return text[len(comments.FindString(text)):] }

// graphSyntax recognises DOT and GML; Prose if it is neither.
func graphSyntax(text string) Syntax {
	switch {
	case beginsDOT.MatchString(text):
		return DOT
	case strings.Contains(text, "graph") && beginsGML.MatchString(text):
		return GML
	}
	return Prose
}

// isTable reports whether the text is a table, and sets the separator and the fields of the first
// line. A line with blanks within words is a header only if the next line has as many fields.
func (h *Head) isTable() bool {
	most := 0
	switch {
	case ruler(h.Next):
		h.Mark, h.Fields = ' ', strings.Fields(h.Line)
		return true
	case strings.Count(h.data(), ":") > 40:
		h.Mark, h.Fields = ':', strings.Split(h.data(), ":")
		return true
	}
	for _, mark := range []byte{',', ';', '\t', '|'} {
		if n := strings.Count(h.Line, string(mark)); n > most {
			h.Mark, most = mark, n
		}
	}
	h.Fields = Split(h.Line, h.Mark)
	words := false
	for _, field := range h.Fields {
		words = words || strings.Contains(field, " ") || strings.HasSuffix(field, ":")
	}
	if !words {
		return most > 0 && !strings.ContainsAny(h.Line[:1], ":{}[]") || h.Line == OverheadColumn
	}
	return most > 1 && len(Split(h.Next, h.Mark)) == len(h.Fields)
}

// ruler reports whether a line consists of groups of dashes that underline column names.
func ruler(line string) bool {
	return strings.Contains(line, "-- --") && strings.Trim(line, "- ") == ""
}

// Split splits a line of a table. Separators within quotation marks do not count.
func Split(line string, mark byte) []string {
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
func (h *Head) unknown() string {
	switch {
	case h.Syntax == Empty:
		return "the file is empty"
	case h.Syntax == JSON && len(h.Fields) > 0:
		return "found JSON with the keys " + few(h.Fields) + ", which no known format has"
	case h.Syntax == JSON:
		return "found JSON of an unknown format"
	case h.Syntax == YAML:
		return "found YAML with the keys " + few(h.Fields) + ", which is not an object of Kubernetes"
	case h.Syntax == XML:
		return "found XML of an unknown format"
	case h.header():
		return "found a table with the columns " + few(h.Fields) + ", which no known format has"
	}
	return "the format is unknown"
}

// header reports whether the text is a table with column names.
func (h *Head) header() bool { return h.Syntax == Table && len(h.Fields) > 1 && h.named() }

// named reports whether the first line of a table has no numbers, and is therefore a header.
func (h *Head) named() bool {
	return !slices.ContainsFunc(h.Fields, func(field string) bool { _, number := show.ParseNumber(field); return number })
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
