package topology

import (
	"html"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/input/format/sniff"
	"berth/engine/show"
)

var gml = syntax{sniff.Format{
	Name: "gml", Of: "GML, also of the Internet Topology Zoo", What: "a graph in GML", For: sniff.Placement, Do: inPlacement, Syntax: sniff.GML, Fit: sniff.Always(100),
}, readGML}

func readGML(n *network) {
	n.labels = true
	(&gmlScanner{network: n}).list("", nil, 0)
}

// gmlScanner scans keys and values and adds nodes and edges to the network.
type gmlScanner struct {
	*network
	at      int
	stopped bool
}

// word is a key, a value or a bracket. An empty text without quotation marks is the end of the
// file.
type word struct {
	text   string
	quoted bool
	at     int
}

func (s *gmlScanner) next() word {
	rest := strings.TrimLeft(s.text[s.at:], " \t\r\n")
	for strings.HasPrefix(rest, "#") {
		_, rest, _ = strings.Cut(rest, "\n")
		rest = strings.TrimLeft(rest, " \t\r\n")
	}
	w := word{at: len(s.text) - len(rest)}
	switch {
	case rest == "":
	case rest[0] == '[' || rest[0] == ']':
		w.text, rest = rest[:1], rest[1:]
	case rest[0] == '"':
		w.text, rest, _ = strings.Cut(rest[1:], `"`)
		w.text, w.quoted = html.UnescapeString(w.text), true
	default:
		end := strings.IndexAny(rest, " \t\r\n[]\"")
		if end < 0 {
			end = len(rest)
		}
		w.text, rest = rest[:end], rest[end:]
	}
	s.at = len(s.text) - len(rest)
	return w
}

func (s *gmlScanner) fail(w word, code *diag.Code, args ...any) {
	if !s.stopped {
		s.add(diag.Error, w.at, code, args...)
	}
	s.stopped = true
}

// list reads the pairs of a list up to its closing bracket into attributes. Lists of nodes and
// edges become elements of the network.
func (s *gmlScanner) list(kind string, attributes map[string]string, depth int) {
	for !s.stopped {
		key := s.next()
		switch {
		case key.text == "" && !key.quoted:
			if depth > 0 {
				s.fail(key, listOpen)
			}
			return
		case key.text == "]" && !key.quoted && depth > 0:
			return
		case key.quoted || key.text == "[" || key.text == "]":
			s.fail(key, noKey, show.Quote(key.text))
			return
		}
		value := s.next()
		switch {
		case value.text == "[" && !value.quoted:
			s.nested(kind, key, depth)
		case value.text == "" && !value.quoted, value.text == "]" && !value.quoted:
			s.fail(value, noValue, show.Quote(key.text))
		case attributes != nil:
			s.stopped = s.stopped || !s.take(budget.Originals, 1, key.at)
			attributes[key.text] = value.text
		}
	}
}

func (s *gmlScanner) nested(within string, key word, depth int) {
	if err := s.budget.Deeper(depth+1, "lists"); err != nil {
		s.fail(key, diag.Invalid, err)
		return
	}
	attributes := map[string]string{}
	s.list(key.text, attributes, depth+1)
	switch {
	case s.stopped:
	case !s.take(budget.Nodes, 1, key.at):
		s.stopped = true
	case key.text == "graph":
		s.Name = attributes["label"]
	case within == "graph" && key.text == "node":
		s.node(attributes["id"], "", key.at, attributes)
	case within == "graph" && key.text == "edge":
		s.edge(attributes["source"], attributes["target"], key.at, attributes)
	}
}
