package painting

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/fogleman/gg"
)

type element struct {
	XMLName    xml.Name
	Attributes []xml.Attr `xml:",any,attr"`
	Children   []element  `xml:",any"`
	Text       string     `xml:",chardata"`
}

// attribute returns the value of an attribute, "" if the element lacks it.
func (e *element) attribute(name string) string {
	for _, a := range e.Attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// number returns the number at the beginning of an attribute, or otherwise if it has
// no number.
func (e *element) number(name string, otherwise float64) float64 {
	text := strings.TrimRight(e.attribute(name), "ptx")
	if value, err := strconv.ParseFloat(text, 64); err == nil {
		return value
	}
	return otherwise
}

// surface is a picture or a page. It has its own units; y points downwards.
type surface interface {
	shape(*shape)
	line(*line)
}

// pen receives the outline of a shape. PNG and PDF surfaces implement it.
type pen interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	CubicTo(x1, y1, x2, y2, x3, y3 float64)
	ClosePath()
}

// shape is an outline with its inks. An ink without colours draws nothing.
type shape struct {
	path         []segment
	fill, stroke ink
	width        float64 // of the stroke
	dashes       []float64
}

type point struct{ x, y float64 }

// segment leads to the last of its points: 'M' moves without a line, 'L' draws a straight line, and
// 'C' a Bézier curve whose two control points come first. 'Z' closes the path.
type segment struct {
	verb byte
	to   []point
}

func (s *shape) draw(with pen) {
	for _, to := range s.path {
		switch at := to.to; to.verb {
		case 'M':
			with.MoveTo(at[0].x, at[0].y)
		case 'L':
			with.LineTo(at[0].x, at[0].y)
		case 'C':
			with.CubicTo(at[0].x, at[0].y, at[1].x, at[1].y, at[2].x, at[2].y)
		case 'Z':
			with.ClosePath()
		}
	}
}

type line struct {
	text   string
	style  string // key in fonts
	size   float64
	at     point   // on the baseline; anchor says which point of the line is there
	anchor float64 // fraction of the line to the left of at, from 0 to 1
	angle  float64 // in radians, clockwise
	ink    ink
}

// drawing is a parsed SVG.
type drawing struct {
	root          element
	box           []float64 // left, top, width and height in its own units
	width, height float64   // in points
}

func read(svg []byte) (*drawing, error) {
	var d drawing
	if err := xml.Unmarshal(svg, &d.root); err != nil {
		return nil, fmt.Errorf("reading the drawing: %w", err)
	}
	d.box = numbers(d.root.attribute("viewBox"))
	d.width, d.height = d.root.number("width", 0), d.root.number("height", 0)
	if len(d.box) != 4 || !(d.width > 0 && d.height > 0) || !(d.box[2]*d.box[3] > 0) {
		return nil, fmt.Errorf("the drawing has no size: width %q, height %q", d.root.attribute("width"), d.root.attribute("height"))
	}
	return &d, nil
}

func (d *drawing) paint(on surface, width, height float64) {
	p := painter{surface: on, gradients: map[string]*element{}}
	p.matrix = gg.Scale(width/d.box[2], height/d.box[3]).Translate(-d.box[0], -d.box[1])
	p.drawAll(d.root.Children)
}

// painter draws elements in document order.
type painter struct {
	surface
	matrix    gg.Matrix // from the drawing to the surface
	gradients map[string]*element
}

func (p *painter) drawAll(list []element) {
	for i := range list {
		p.draw(&list[i])
	}
}

func (p *painter) draw(e *element) {
	switch e.XMLName.Local {
	case "g", "a":
		outside := p.matrix
		p.transform(e.attribute("transform"))
		p.drawAll(e.Children)
		p.matrix = outside
	case "defs":
		for i, gradient := range e.Children {
			p.gradients[gradient.attribute("id")] = &e.Children[i]
		}
	case "polygon":
		p.outline(e, append(p.polyline(numbers(e.attribute("points"))), segment{verb: 'Z'}))
	case "polyline":
		p.outline(e, p.polyline(numbers(e.attribute("points"))))
	case "ellipse":
		p.outline(e, p.ellipse(e.number("cx", 0), e.number("cy", 0), e.number("rx", 0), e.number("ry", 0)))
	case "path":
		start, curves, _ := strings.Cut(strings.TrimPrefix(e.attribute("d"), "M"), "C")
		p.outline(e, p.curves(p.polyline(numbers(start)), numbers(curves)))
	case "text":
		p.text(e)
	}
}

// transform applies the value of a transform attribute, such as "scale(1 1) rotate(0) translate(4
// 112)".
func (p *painter) transform(list string) {
	for function := range strings.SplitSeq(list, ")") {
		name, arguments, _ := strings.Cut(strings.TrimSpace(function), "(")
		values := append(numbers(arguments), 0, 0)
		switch name {
		case "scale":
			p.matrix = p.matrix.Scale(values[0], values[1])
		case "rotate":
			p.matrix = p.matrix.Rotate(values[0] * math.Pi / 180)
		case "translate":
			p.matrix = p.matrix.Translate(values[0], values[1])
		}
	}
}

// at maps a point of the drawing to the surface.
func (p *painter) at(x, y float64) point {
	x, y = p.matrix.TransformPoint(x, y)
	return point{x, y}
}

// view returns the scale of the drawing on the surface, and its rotation.
func (p *painter) view() (scale, angle float64) {
	x, y := p.matrix.TransformVector(1, 0)
	return math.Hypot(x, y), math.Atan2(y, x)
}

func (p *painter) polyline(points []float64) (path []segment) {
	for verb := byte('M'); len(points) >= 2; points, verb = points[2:], 'L' {
		path = append(path, segment{verb, []point{p.at(points[0], points[1])}})
	}
	return path
}

// curves appends cubic curves, three points each, to a path. A path of Graphviz is a
// move and cubic curves with absolute coordinates: "M0,0C1,1 2,2 3,3".
func (p *painter) curves(path []segment, c []float64) []segment {
	for ; len(path) > 0 && len(c) >= 6; c = c[6:] {
		path = append(path, segment{'C', []point{p.at(c[0], c[1]), p.at(c[2], c[3]), p.at(c[4], c[5])}})
	}
	return path
}

func (p *painter) ellipse(x, y, rx, ry float64) []segment {
	const k = 4 * (math.Sqrt2 - 1) / 3 // control points that approximate a quarter of a circle
	circle := []float64{1, k, k, 1, 0, 1, -k, 1, -1, k, -1, 0, -1, -k, -k, -1, 0, -1, k, -1, 1, -k, 1, 0}
	for i := range circle {
		circle[i] = []float64{x, y}[i%2] + float64(circle[i]*[]float64{rx, ry}[i%2])
	}
	return append(p.curves(p.polyline([]float64{x + rx, y}), circle), segment{verb: 'Z'})
}

func (p *painter) outline(e *element, path []segment) {
	if len(path) == 0 || path[0].verb != 'M' {
		return
	}
	scale, _ := p.view()
	s := &shape{path: path, width: e.number("stroke-width", 1) * scale, dashes: numbers(e.attribute("stroke-dasharray"))}
	for i := range s.dashes {
		s.dashes[i] *= scale
	}
	s.fill = p.ink(e.attribute("fill"), e.number("fill-opacity", 1))
	s.stroke = p.ink(e.attribute("stroke"), e.number("stroke-opacity", 1))
	p.shape(s)
}

// spaces replaces spaces whose width the Go fonts lack.
var spaces = strings.NewReplacer("\t", " ", "\u2009", " ", "\u202f", " ")

func (p *painter) text(e *element) {
	scale, angle := p.view()
	p.line(&line{
		text: spaces.Replace(e.Text), style: styleOf(e), size: e.number("font-size", 14) * scale,
		at: p.at(e.number("x", 0), e.number("y", 0)), angle: angle,
		anchor: map[string]float64{"middle": 0.5, "end": 1}[e.attribute("text-anchor")],
		ink:    p.ink(cmp.Or(e.attribute("fill"), "black"), e.number("fill-opacity", 1)),
	})
}

// numbers parses numbers separated by spaces or commas; an invalid number is 0.
func numbers(list string) []float64 {
	var values []float64
	for field := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' }) {
		value, _ := strconv.ParseFloat(field, 64)
		values = append(values, value)
	}
	return values
}
