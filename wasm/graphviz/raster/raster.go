package raster

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/fogleman/gg"
)

const (
	// MaxPixels bounds the memory of a drawing to 4 × MaxPixels bytes.
	MaxPixels = 50_000_000

	pixelsPerPoint = 96.0 / 72
)

// element is one element of an SVG.
type element struct {
	XMLName    xml.Name
	Attributes []xml.Attr `xml:",any,attr"`
	Children   []element  `xml:",any"`
	Text       string     `xml:",chardata"`
}

// attribute returns the value of an attribute, or "".
func (e *element) attribute(name string) string {
	for _, a := range e.Attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// number returns the number that an attribute begins with; if there is none, otherwise.
func (e *element) number(name string, otherwise float64) float64 {
	text := strings.TrimRight(e.attribute(name), "ptx")
	if value, err := strconv.ParseFloat(text, 64); err == nil {
		return value
	}
	return otherwise
}

// PNG draws Graphviz's SVG with 96 pixels an inch. It fails if the drawing has no size
// or more than MaxPixels pixels.
func PNG(svg []byte) ([]byte, error) {
	var root element
	if err := xml.Unmarshal(svg, &root); err != nil {
		return nil, fmt.Errorf("reading the drawing: %w", err)
	}
	box := numbers(root.attribute("viewBox"))
	width := math.Ceil(root.number("width", 0) * pixelsPerPoint)
	height := math.Ceil(root.number("height", 0) * pixelsPerPoint)
	if len(box) != 4 || !(width*height > 0) || !(box[2]*box[3] > 0) {
		return nil, fmt.Errorf("the drawing has no size: width %q, height %q", root.attribute("width"), root.attribute("height"))
	}
	if width*height > MaxPixels {
		return nil, fmt.Errorf("a PNG of %.0f megapixels: at most %d can be drawn", width*height/1e6, int(MaxPixels/1e6))
	}
	p := painter{
		canvas:    gg.NewContext(int(width), int(height)),
		gradients: map[string]*element{},
		faces:     faces{},
	}
	p.canvas.SetLineCapButt()
	p.canvas.Scale(width/box[2], height/box[3])
	p.canvas.Translate(-box[0], -box[1])
	p.drawAll(root.Children)
	var out bytes.Buffer
	err := p.canvas.EncodePNG(&out)
	return out.Bytes(), err
}

// painter draws elements, one after the other.
type painter struct {
	canvas    *gg.Context
	gradients map[string]*element
	faces     faces
}

func (p *painter) drawAll(list []element) {
	for i := range list {
		p.draw(&list[i])
	}
}

func (p *painter) draw(e *element) {
	switch e.XMLName.Local {
	case "g", "a":
		p.canvas.Push()
		p.transform(e.attribute("transform"))
		p.drawAll(e.Children)
		p.canvas.Pop()
	case "defs":
		for i, gradient := range e.Children {
			p.gradients[gradient.attribute("id")] = &e.Children[i]
		}
	case "polygon":
		p.polyline(numbers(e.attribute("points")))
		p.canvas.ClosePath()
		p.paint(e)
	case "polyline":
		p.polyline(numbers(e.attribute("points")))
		p.paint(e)
	case "ellipse":
		p.canvas.DrawEllipse(e.number("cx", 0), e.number("cy", 0), e.number("rx", 0), e.number("ry", 0))
		p.paint(e)
	case "path":
		p.path(e.attribute("d"))
		p.paint(e)
	case "text":
		p.text(e)
	}
}

// transform applies "scale(1 1) rotate(0) translate(4 112)".
func (p *painter) transform(list string) {
	for function := range strings.SplitSeq(list, ")") {
		name, arguments, _ := strings.Cut(strings.TrimSpace(function), "(")
		values := append(numbers(arguments), 0, 0)
		switch name {
		case "scale":
			p.canvas.Scale(values[0], values[1])
		case "rotate":
			p.canvas.Rotate(values[0] * math.Pi / 180)
		case "translate":
			p.canvas.Translate(values[0], values[1])
		}
	}
}

func (p *painter) polyline(points []float64) {
	for i := 0; i+1 < len(points); i += 2 {
		if i == 0 {
			p.canvas.MoveTo(points[0], points[1])
		} else {
			p.canvas.LineTo(points[i], points[i+1])
		}
	}
}

// path draws moves and cubic curves with absolute coordinates: "M0,0C1,1 2,2 3,3".
// Graphviz writes no others.
func (p *painter) path(d string) {
	start, curves, _ := strings.Cut(strings.TrimPrefix(d, "M"), "C")
	p.polyline(numbers(start))
	c := numbers(curves)
	for ; len(c) >= 6; c = c[6:] {
		p.canvas.CubicTo(c[0], c[1], c[2], c[3], c[4], c[5])
	}
}

// paint fills and strokes the current path.
func (p *painter) paint(e *element) {
	if fill := p.pattern(e.attribute("fill"), e.number("fill-opacity", 1)); fill != nil {
		p.canvas.SetFillStyle(fill)
		p.canvas.FillPreserve()
	}
	if stroke := p.pattern(e.attribute("stroke"), e.number("stroke-opacity", 1)); stroke != nil {
		scale, _ := p.view()
		p.canvas.SetStrokeStyle(stroke)
		p.canvas.SetLineWidth(e.number("stroke-width", 1) * scale)
		dashes := numbers(e.attribute("stroke-dasharray"))
		for i := range dashes {
			dashes[i] *= scale
		}
		p.canvas.SetDash(dashes...)
		p.canvas.StrokePreserve()
	}
	p.canvas.ClearPath()
}

// view returns how much the canvas is scaled, and the angle it is turned by.
func (p *painter) view() (scale, angle float64) {
	x0, y0 := p.canvas.TransformPoint(0, 0)
	x1, y1 := p.canvas.TransformPoint(1, 0)
	return math.Hypot(x1-x0, y1-y0), math.Atan2(y1-y0, x1-x0)
}

// text draws a line of text. It asks the font for letters of the final size, because
// enlarged letters are blurred.
func (p *painter) text(e *element) {
	scale, angle := p.view()
	x, y := p.canvas.TransformPoint(e.number("x", 0), e.number("y", 0))
	colour := cmp.Or(e.attribute("fill"), "black")
	p.canvas.Push()
	defer p.canvas.Pop()
	p.canvas.Identity()
	p.canvas.RotateAbout(angle, x, y)
	p.canvas.SetFontFace(p.faces.get(e, scale))
	p.canvas.SetColor(parseColour(colour, e.number("fill-opacity", 1)))
	anchor := map[string]float64{"middle": 0.5, "end": 1}[e.attribute("text-anchor")]
	p.canvas.DrawStringAnchored(strings.ReplaceAll(e.Text, "\t", " "), x, y, anchor, 0)
}

// numbers reads numbers separated by spaces or commas; anything else is 0.
func numbers(list string) []float64 {
	var values []float64
	for field := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' }) {
		value, _ := strconv.ParseFloat(field, 64)
		values = append(values, value)
	}
	return values
}
