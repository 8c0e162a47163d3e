package vector

import (
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// picture is a drawing in points, with y downwards.
type picture struct {
	width, height float64
	shapes        []shape
}

// shape is an outline or a line of text.
type shape struct {
	path         []segment
	fill, stroke *colour // nil for none
	strokeWidth  float64
	dashes       []float64

	text   string
	at     point // of the baseline
	size   float64
	anchor string // "start", "middle" or "end"
	bold   bool
}

type point struct{ x, y float64 }

// segment goes on to a point: 'M' without a line, 'L' straight, 'C' along a Bézier curve
// with two control points, 'Z' back to the beginning.
type segment struct {
	verb byte
	to   [3]point // the last of them is the end
}

type colour struct{ r, g, b uint8 }

type element struct {
	XMLName    xml.Name
	Attributes []xml.Attr `xml:",any,attr"`
	Children   []element  `xml:",any"`
	Text       string     `xml:",chardata"`
}

func (e *element) attribute(name string) (string, bool) {
	for _, a := range e.Attributes {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

func (e *element) number(name string) float64 {
	text, _ := e.attribute(name)
	value, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(text, "px"), "pt"), 64)
	return value
}

// style is what elements inherit.
type style struct {
	to           affine
	fill, stroke string
	strokeWidth  float64
	dashes       string
	size         float64
	anchor       string
	bold         bool
}

// affine maps (x, y) to (ax + cy + e, bx + dy + f).
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) times(n affine) affine {
	return affine{
		float64(m.a*n.a) + float64(m.c*n.b), float64(m.b*n.a) + float64(m.d*n.b),
		float64(m.a*n.c) + float64(m.c*n.d), float64(m.b*n.c) + float64(m.d*n.d),
		float64(m.a*n.e) + float64(m.c*n.f) + m.e, float64(m.b*n.e) + float64(m.d*n.f) + m.f,
	}
}

func (m affine) apply(p point) point {
	return point{float64(m.a*p.x) + float64(m.c*p.y) + m.e, float64(m.b*p.x) + float64(m.d*p.y) + m.f}
}

// reader collects the shapes of an SVG.
type reader struct {
	picture
	rules map[string]string // declarations of its style sheet by the id before ">"
	stops map[string]string // the first colour of each gradient, by id
}

// read reads an SVG.
func read(svg []byte) (*picture, error) {
	var root element
	if err := xml.Unmarshal(svg, &root); err != nil {
		return nil, fmt.Errorf("reading the drawing: %w", err)
	}
	box := numbersOf(&root, "viewBox")
	if root.XMLName.Local != "svg" || len(box) != 4 || !(box[2] > 0 && box[3] > 0) {
		return nil, errors.New("the drawing does not say how large it is")
	}
	r := &reader{picture: picture{width: box[2], height: box[3]}, rules: map[string]string{}, stops: map[string]string{}}
	r.collect(&root)
	plain := style{to: affine{a: 1, d: 1, e: -box[0], f: -box[1]}, fill: "black", stroke: "none", strokeWidth: 1, size: 14, anchor: "start"}
	plain.inherit(&root)
	for i := range root.Children {
		r.element(&root.Children[i], plain, "")
	}
	return &r.picture, nil
}

// collect notes gradients and the style sheet.
func (r *reader) collect(e *element) {
	switch e.XMLName.Local {
	case "linearGradient", "radialGradient":
		if id, ok := e.attribute("id"); ok && len(e.Children) > 0 {
			text, _ := e.Children[0].attribute("style")
			_, text, _ = strings.Cut(text, "stop-color:")
			r.stops[id], _, _ = strings.Cut(text, ";")
		}
	case "style":
		selectors, rest, _ := strings.Cut(e.Text, "{")
		for selector := range strings.SplitSeq(selectors, ",") {
			id, _, _ := strings.Cut(strings.TrimPrefix(selector, "#"), ">")
			r.rules[id] = strings.TrimSuffix(rest, "}")
		}
	}
	for i := range e.Children {
		r.collect(&e.Children[i])
	}
}

// inherit takes over what an element says.
func (s *style) inherit(e *element) {
	set := func(to *string, name string) {
		if value, ok := e.attribute(name); ok {
			*to = value
		}
	}
	set(&s.fill, "fill")
	set(&s.stroke, "stroke")
	set(&s.dashes, "stroke-dasharray")
	set(&s.anchor, "text-anchor")
	for name, to := range map[string]*float64{"stroke-width": &s.strokeWidth, "font-size": &s.size} {
		if _, ok := e.attribute(name); ok {
			*to = e.number(name)
		}
	}
	if weight, ok := e.attribute("font-weight"); ok {
		s.bold = weight == "bold"
	}
	if transform, ok := e.attribute("transform"); ok {
		s.to = s.to.times(transformOf(transform))
	}
}

// declare takes over what a style sheet says.
func (s *style) declare(rule string) {
	for declaration := range strings.SplitSeq(rule, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		switch name {
		case "stroke":
			s.stroke = value
		case "stroke-width":
			s.strokeWidth, _ = strconv.ParseFloat(value, 64)
		case "stroke-dasharray":
			s.dashes = value
		}
	}
}

// element adds an element and those in it; id is that of the group around it.
func (r *reader) element(e *element, s style, id string) {
	s.inherit(e)
	switch e.XMLName.Local {
	case "svg":
		s.to = s.to.times(nested(e))
	case "g", "a":
		if own, ok := e.attribute("id"); ok {
			id = own
		}
	case "text":
		r.text(e, s)
		return
	case "title", "defs", "style":
		return
	default:
		if rule := r.rules[id]; e.XMLName.Local == "path" && rule != "" {
			s.declare(rule)
		}
		r.outline(pathOf(e, r.width, r.height), s)
	}
	for i := range e.Children {
		r.element(&e.Children[i], s, id)
	}
}

// nested is where a drawing within the drawing is.
func nested(e *element) affine {
	m := affine{a: 1, d: 1, e: e.number("x"), f: e.number("y")}
	if box := numbersOf(e, "viewBox"); len(box) == 4 && box[2] > 0 && box[3] > 0 && e.number("width") > 0 {
		sx, sy := e.number("width")/box[2], e.number("height")/box[3]
		m = m.times(affine{a: sx, d: sy, e: -float64(box[0] * sx), f: -float64(box[1] * sy)})
	}
	return m
}

func (r *reader) text(e *element, s style) {
	if e.Text == "" {
		return
	}
	scale := math.Sqrt(math.Abs(float64(s.to.a*s.to.d) - float64(s.to.b*s.to.c)))
	r.shapes = append(r.shapes, shape{
		text: e.Text, at: s.to.apply(point{e.number("x"), e.number("y")}), size: s.size * scale,
		anchor: s.anchor, bold: s.bold, fill: r.colour(s.fill),
	})
}

func (r *reader) outline(path []segment, s style) {
	if len(path) == 0 {
		return
	}
	for i := range path {
		for k := range path[i].to {
			path[i].to[k] = s.to.apply(path[i].to[k])
		}
	}
	scale := math.Sqrt(math.Abs(float64(s.to.a*s.to.d) - float64(s.to.b*s.to.c)))
	one := shape{path: path, fill: r.colour(s.fill), stroke: r.colour(s.stroke), strokeWidth: s.strokeWidth * scale}
	for _, d := range figures(s.dashes) {
		one.dashes = append(one.dashes, d*scale)
	}
	r.shapes = append(r.shapes, one)
}

// colour reads what SVG says of a colour; nil is none.
func (r *reader) colour(text string) *colour {
	if id, ok := strings.CutPrefix(text, "url(#"); ok {
		text = r.stops[strings.TrimSuffix(id, ")")]
	}
	if hex, ok := strings.CutPrefix(text, "#"); ok {
		if value, err := strconv.ParseUint(hex, 16, 32); err == nil && len(hex) == 6 {
			return &colour{uint8(value >> 16), uint8(value >> 8), uint8(value)}
		}
	}
	switch text {
	case "none", "transparent", "":
		return nil
	case "white":
		return &colour{255, 255, 255}
	case "lightgrey", "lightgray":
		return &colour{211, 211, 211}
	}
	return &colour{}
}
