package topology

import (
	"html"
	"strings"
	"unicode/utf8"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/format"
	"berth/engine/show"
)

// ReadGML reads a network in GML.
func ReadGML(file string, text []byte, o format.Options) (*format.Federation, diag.List) {
	_, file, _ = format.Named(file)
	n := &network{file: file, budget: o.Budget.Or()}
	switch {
	case !n.take(budget.Bytes, len(text), 1, 1):
	case !utf8.Valid(text):
		n.add(diag.Error, 1, 1, notText)
	default:
		(&gml{network: n, text: string(text), line: 1, column: 1}).list("", nil, 0)
	}
	f := n.federation()
	return f, n.found
}

// gml scans keys and values, and builds the network on the way.
type gml struct {
	*network
	text         string
	at           int
	line, column int
	stopped      bool
}

// word is a key, a value or a bracket; "" without quotes is the end of the file.
type word struct {
	text         string
	quoted       bool
	line, column int
}

func (s *gml) next() word {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n#", s.text[s.at]) >= 0 {
		if s.text[s.at] == '#' {
			for s.at < len(s.text) && s.text[s.at] != '\n' {
				s.step()
			}
			continue
		}
		s.step()
	}
	w := word{line: s.line, column: s.column}
	if s.at == len(s.text) {
		return w
	}
	start := s.at
	switch s.text[s.at] {
	case '[', ']':
		s.step()
	case '"':
		for s.step(); s.at < len(s.text) && s.text[s.at] != '"'; {
			s.step()
		}
		w.text, w.quoted = html.UnescapeString(s.text[start+1:s.at]), true
		if s.at < len(s.text) {
			s.step()
		}
		return w
	default:
		for s.at < len(s.text) && strings.IndexByte(" \t\r\n[]\"", s.text[s.at]) < 0 {
			s.step()
		}
	}
	w.text = s.text[start:s.at]
	return w
}

// step advances by one byte.
func (s *gml) step() {
	switch c := s.text[s.at]; {
	case c == '\n':
		s.line, s.column = s.line+1, 1
	case utf8.RuneStart(c):
		s.column++
	}
	s.at++
}

func (s *gml) fail(w word, code *diag.Code, args ...any) {
	if !s.stopped {
		s.add(diag.Error, w.line, w.column, code, args...)
	}
	s.stopped = true
}

// list reads the pairs of a list into attributes. Nodes and edges go into the network.
func (s *gml) list(kind string, attributes map[string]string, depth int) {
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
			s.stopped = s.stopped || !s.take(budget.Originals, 1, key.line, key.column)
			attributes[key.text] = value.text
		}
	}
}

func (s *gml) nested(within string, key word, depth int) {
	if err := s.budget.Deeper(depth+1, "lists"); err != nil {
		s.fail(key, diag.Invalid, err)
		return
	}
	attributes := map[string]string{}
	s.list(key.text, attributes, depth+1)
	switch {
	case s.stopped:
	case !s.take(budget.Nodes, 1, key.line, key.column):
		s.stopped = true
	case key.text == "graph":
		s.name = attributes["label"]
	case within == "graph" && key.text == "node":
		s.places = append(s.places, place{attributes["id"], key.line, key.column, attributes})
	case within == "graph" && key.text == "edge":
		s.lines = append(s.lines, edge(attributes["source"], attributes["target"], key.line, key.column, attributes))
	}
}
