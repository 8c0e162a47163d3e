package painting

import (
	"bytes"
	"math"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/golang/freetype/truetype"
)

// PDF draws Graphviz's SVG on a page of the drawing's size, and embeds the letters of the Go fonts
// that it uses. It fails if the drawing has no size, or has letters that these fonts lack.
func PDF(svg []byte) ([]byte, error) {
	d, err := read(svg)
	if err != nil {
		return nil, err
	}
	p := sheet{fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: d.width, Ht: d.height}}), map[string]*truetype.Font{}}
	p.SetCreationDate(time.Unix(0, 0).UTC()) // constant, so that the same drawing gives the same bytes
	p.SetModificationDate(time.Unix(0, 0).UTC())
	p.SetCatalogSort(true)
	p.AddPage()
	p.RawWriteStr("4 M") // SVG's default miter limit
	d.paint(p, d.width, d.height)
	var out bytes.Buffer
	err = p.Output(&out)
	return out.Bytes(), err
}

// sheet is a surface that draws on a PDF page, in points.
type sheet struct {
	*fpdf.Fpdf
	fonts map[string]*truetype.Font // embedded fonts, by style
}

// CubicTo implements [pen].
func (p sheet) CubicTo(x1, y1, x2, y2, x3, y3 float64) { p.CurveBezierCubicTo(x1, y1, x2, y2, x3, y3) }

func (p sheet) shape(s *shape) {
	if len(s.fill.stops) > 1 {
		p.shade(s)
	} else if len(s.fill.stops) == 1 {
		p.SetFillColor(p.take(s.fill))
		s.draw(p)
		p.DrawPath("f")
	}
	if len(s.stroke.stops) > 0 {
		p.SetDrawColor(p.take(s.stroke))
		p.SetLineWidth(s.width)
		p.SetDashPattern(s.dashes, 0)
		s.draw(p)
		p.DrawPath("S")
	}
}

// take sets the opacity of the first colour, and returns its components.
func (p sheet) take(i ink) (r, g, b int) {
	c := i.stops[0].colour
	p.SetAlpha(float64(c.A)/255, "Normal")
	return int(c.R), int(c.G), int(c.B)
}

// shade fills a shape with a gradient from the first to the last colour.
func (p sheet) shade(s *shape) {
	least, most := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, to := range s.path {
		for _, at := range to.to {
			least = point{min(least.x, at.x), min(least.y, at.y)}
			most = point{max(most.x, at.x), max(most.y, at.y)}
		}
	}
	// fpdf measures the ends of a gradient in fractions of a rectangle; a square
	// keeps right angles.
	side := max(most.x-least.x, most.y-least.y, 1)
	part := func(at point) (x, y float64) { return (at.x - least.x) / side, 1 - (at.y-least.y)/side }
	x1, y1 := part(s.fill.from)
	x2, y2 := part(s.fill.to)
	r, g, b := p.take(s.fill)
	last := s.fill.stops[len(s.fill.stops)-1].colour
	p.TransformBegin()
	s.draw(p)
	p.DrawPath("W n")
	p.LinearGradient(least.x, least.y, side, side, r, g, b, int(last.R), int(last.G), int(last.B), x1, y1, x2, y2)
	p.TransformEnd()
}

func (p sheet) line(l *line) {
	if len(l.ink.stops) == 0 {
		return
	}
	if p.fonts[l.style] == nil {
		p.fonts[l.style] = parsed(l.style)
		p.AddUTF8FontFromBytes("go"+l.style, "", fonts[l.style])
	}
	for _, letter := range l.text {
		if p.fonts[l.style].Index(letter) == 0 {
			p.SetErrorf("a PDF has Latin, Greek and Cyrillic letters, and not %q of %q. Save the drawing as SVG", letter, l.text)
			return
		}
	}
	p.SetTextColor(p.take(l.ink))
	p.SetFont("go"+l.style, "", l.size)
	p.TransformBegin()
	p.TransformRotate(-l.angle*180/math.Pi, l.at.x, l.at.y)
	p.Text(l.at.x-float64(l.anchor*p.GetStringWidth(l.text)), l.at.y, l.text)
	p.TransformEnd()
}
