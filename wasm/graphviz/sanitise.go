package graphviz

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// elements are the SVG elements of Graphviz's drawings. None of them runs a script or
// loads anything.
var elements = map[string]bool{
	"svg": true, "g": true, "a": true, "title": true, "defs": true,
	"path": true, "polygon": true, "polyline": true, "ellipse": true, "text": true,
	"linearGradient": true, "radialGradient": true, "stop": true,
}

// attributes are the attributes that an element may keep, each with a test of its
// value.
var attributes = map[string]func(value []byte) bool{
	"xmlns":       is("http://www.w3.org/2000/svg"),
	"xmlns:xlink": is("http://www.w3.org/1999/xlink"),
	"id":          anything, "class": anything, "xlink:title": anything,
	"xlink:href": local, "href": local,
	"fill": paint, "stroke": paint, "style": stopStyle,
	"transform": function, "gradientTransform": function,
	"d": plain, "points": plain, "viewBox": plain, "width": plain, "height": plain,
	"x": plain, "y": plain, "x1": plain, "y1": plain, "x2": plain, "y2": plain,
	"cx": plain, "cy": plain, "rx": plain, "ry": plain, "r": plain, "fx": plain, "fy": plain,
	"fill-opacity": plain, "stroke-opacity": plain, "opacity": plain,
	"stroke-width": plain, "stroke-dasharray": plain, "stroke-linecap": plain,
	"stroke-linejoin": plain, "stroke-miterlimit": plain,
	"font-family": plain, "font-size": plain, "font-weight": plain,
	"font-style": plain, "font-stretch": plain, "font-variant": plain,
	"text-anchor": plain, "text-decoration": plain, "baseline-shift": plain,
	"gradientUnits": plain, "offset": plain, "xml:space": plain,
}

func is(want string) func([]byte) bool {
	return func(value []byte) bool { return string(value) == want }
}

func anything([]byte) bool { return true }

// plain accepts values that cannot hide a CSS function: they have no bracket and no
// escape that could represent a bracket. Graphviz writes "-" as an entity.
func plain(value []byte) bool {
	if bytes.Contains(value, []byte("&#45;")) {
		value = bytes.ReplaceAll(value, []byte("&#45;"), []byte("-"))
	}
	return !bytes.ContainsAny(value, `&(\`)
}

// paint accepts a colour or a gradient of the same document.
func paint(value []byte) bool {
	if id, ok := bytes.CutPrefix(value, []byte("url(#")); ok {
		id, ok = bytes.CutSuffix(id, []byte(")"))
		return ok && plain(id)
	}
	return plain(value)
}

func local(value []byte) bool {
	return bytes.HasPrefix(value, []byte("#"))
}

func stopStyle(value []byte) bool {
	return bytes.HasPrefix(value, []byte("stop-color:")) && plain(value)
}

func function(value []byte) bool {
	return !bytes.Contains(value, []byte("url")) && !bytes.ContainsAny(value, `&\`)
}

// Sanitise returns Graphviz's drawing as one <svg> element that can be inserted into
// a page: without prolog, document type and comments, and only with the elements and
// attributes of a drawing, including ids and classes. It drops everything else:
// scripts, event handlers, foreign content, images, links out of the document. Text
// stays text.
//
// It parses only the XML that Graphviz writes; any other XML is an error. It builds
// its result from the parsed parts, so that nothing passes that is not listed here.
func Sanitise(svg []byte) ([]byte, error) {
	s := sanitiser{in: printable(svg)}
	s.out = make([]byte, 0, len(s.in))
	for len(s.in) > 0 {
		if err := s.step(); err != nil {
			at := len(svg) - len(s.in)
			return nil, fmt.Errorf("graphviz: SVG, about byte %d: %w", at, err)
		}
	}
	if len(s.open) > 0 {
		return nil, fmt.Errorf("graphviz: SVG: <%s> is not closed", s.open[len(s.open)-1])
	}
	if len(s.out) == 0 {
		return nil, errors.New("graphviz: SVG: no <svg> element")
	}
	return s.out, nil
}

type sanitiser struct {
	in, out []byte
	open    [][]byte // names of the open elements, outermost first
	refused int      // number of open elements, including the refused one, while inside a refused element; otherwise 0
}

// step handles the text before the next tag, and the tag.
func (s *sanitiser) step() error {
	text, rest, found := bytes.Cut(s.in, []byte("<"))
	if s.keeps() {
		s.out = appendText(s.out, text)
	} else if len(s.open) == 0 && len(bytes.TrimSpace(text)) > 0 {
		return errors.New("text outside <svg>")
	}
	s.in = rest
	if !found {
		return nil
	}
	switch {
	case bytes.HasPrefix(s.in, []byte("!--")):
		return s.skip("-->")
	case bytes.HasPrefix(s.in, []byte("?")):
		return s.skip("?>")
	case bytes.HasPrefix(s.in, []byte("!DOCTYPE")):
		return s.skip(">")
	case bytes.HasPrefix(s.in, []byte("/")):
		return s.endTag()
	default:
		return s.startTag()
	}
}

func (s *sanitiser) keeps() bool {
	return len(s.open) > 0 && s.refused == 0
}

func (s *sanitiser) skip(end string) error {
	_, rest, found := bytes.Cut(s.in, []byte(end))
	if !found {
		return fmt.Errorf("%q is missing", end)
	}
	s.in = rest
	return nil
}

func (s *sanitiser) endTag() error {
	name, rest, _ := bytes.Cut(s.in[1:], []byte(">"))
	if len(s.open) == 0 || !bytes.Equal(name, s.open[len(s.open)-1]) {
		return fmt.Errorf("</%.40s> closes nothing", name)
	}
	s.in = rest
	if s.keeps() {
		s.out = append(s.out, "</"...)
		s.out = append(s.out, name...)
		s.out = append(s.out, '>')
	}
	s.close()
	return nil
}

func (s *sanitiser) close() {
	s.open = s.open[:len(s.open)-1]
	if s.refused > len(s.open) {
		s.refused = 0
	}
}

func (s *sanitiser) startTag() error {
	end := bytes.IndexAny(s.in, " \t\r\n/>")
	if end <= 0 || !isName(s.in[:end]) {
		return errors.New("a tag without a name or an end")
	}
	name := s.in[:end]
	s.in = s.in[end:]
	if len(s.open) == 0 && (string(name) != "svg" || len(s.out) > 0) {
		return fmt.Errorf("<%.40s> where one <svg> was expected", name)
	}
	s.open = append(s.open, name)
	if s.refused == 0 && !elements[string(name)] {
		s.refused = len(s.open)
	}
	if s.keeps() {
		s.out = append(s.out, '<')
		s.out = append(s.out, name...)
	}
	return s.attributes()
}

func isName(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == ':' || c == '-' || '0' <= c && c <= '9')
	})
}

// attributes handles the part of a start tag after its name.
func (s *sanitiser) attributes() error {
	for {
		s.in = bytes.TrimLeft(s.in, " \t\r\n")
		switch {
		case bytes.HasPrefix(s.in, []byte("/>")):
			s.in = s.in[2:]
			if s.keeps() {
				s.out = append(s.out, "/>"...)
			}
			s.close()
			return nil
		case bytes.HasPrefix(s.in, []byte(">")):
			s.in = s.in[1:]
			if s.keeps() {
				s.out = append(s.out, '>')
			}
			return nil
		}
		if err := s.attribute(); err != nil {
			return err
		}
	}
}

func (s *sanitiser) attribute() error {
	name, rest, found := bytes.Cut(s.in, []byte(`="`))
	value, rest, closed := bytes.Cut(rest, []byte(`"`))
	if !found || !closed || !isName(name) || bytes.IndexByte(value, '<') >= 0 {
		return fmt.Errorf("<%s> has an attribute that is not written name=\"value\"", s.open[len(s.open)-1])
	}
	s.in = rest
	accept := attributes[string(name)]
	if !s.keeps() || accept == nil || !accept(value) {
		return nil
	}
	s.out = append(s.out, ' ')
	s.out = append(s.out, name...)
	s.out = append(s.out, `="`...)
	s.out = appendText(s.out, value)
	s.out = append(s.out, '"')
	return nil
}

// appendText appends text without "<" and escapes every other character that could be
// read as markup.
func appendText(out, text []byte) []byte {
	for {
		i := bytes.IndexAny(text, "&>")
		if i < 0 {
			return append(out, text...)
		}
		out = append(out, text[:i]...)
		switch {
		case text[i] == '>':
			out = append(out, "&gt;"...)
		case isEntity(text[i+1:]):
			out = append(out, '&')
		default:
			out = append(out, "&amp;"...)
		}
		text = text[i+1:]
	}
}

// isEntity reports whether text, which follows a "&", names a character.
func isEntity(text []byte) bool {
	name, _, found := bytes.Cut(text[:min(len(text), 10)], []byte(";"))
	if !found {
		return false
	}
	digits, numeric := bytes.CutPrefix(name, []byte("#"))
	if !numeric {
		return slices.Contains([]string{"amp", "lt", "gt", "quot", "apos"}, string(name))
	}
	base := 10
	if hex, ok := bytes.CutPrefix(digits, []byte("x")); ok {
		digits, base = hex, 16
	}
	r, err := strconv.ParseUint(string(digits), base, 32)
	return err == nil && r <= utf8.MaxRune && !unprintable(rune(r))
}

// printable drops the characters that XML cannot represent.
func printable(svg []byte) []byte {
	if bytes.IndexFunc(svg, unprintable) < 0 {
		return svg
	}
	return bytes.Map(func(r rune) rune {
		if unprintable(r) {
			return -1
		}
		return r
	}, svg)
}

func unprintable(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' ||
		r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF || 0xD800 <= r && r < 0xE000
}
