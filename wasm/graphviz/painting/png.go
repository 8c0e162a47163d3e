package painting

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
)

const (
	// MaxPixels limits the memory of a PNG to 4 × MaxPixels bytes.
	MaxPixels = 50_000_000

	pixelsPerPoint = 96.0 / 72
)

// PNG draws Graphviz's SVG at 96 pixels an inch. It fails if the drawing has no size
// or more than MaxPixels pixels.
func PNG(svg []byte) ([]byte, error) {
	d, err := read(svg)
	if err != nil {
		return nil, err
	}
	width, height := math.Ceil(d.width*pixelsPerPoint), math.Ceil(d.height*pixelsPerPoint)
	if width*height > MaxPixels {
		return nil, fmt.Errorf("a PNG of %.0f megapixels: at most %d can be drawn", width*height/1e6, int(MaxPixels/1e6))
	}
	p := picture{gg.NewContext(int(width), int(height)), map[string]font.Face{}}
	p.SetLineCapButt()
	d.paint(p, width, height)
	var out bytes.Buffer
	err = p.EncodePNG(&out)
	return out.Bytes(), err
}

// picture is a surface that draws on an image, in pixels.
type picture struct {
	*gg.Context
	faces map[string]font.Face // fonts in use, by style and size in pixels
}

func (p picture) shape(s *shape) {
	s.draw(p)
	if len(s.fill.stops) > 0 {
		p.SetFillStyle(pattern(s.fill))
		p.FillPreserve()
	}
	if len(s.stroke.stops) > 0 {
		p.SetStrokeStyle(pattern(s.stroke))
		p.SetLineWidth(s.width)
		p.SetDash(s.dashes...)
		p.StrokePreserve()
	}
	p.ClearPath()
}

func pattern(i ink) gg.Pattern {
	if len(i.stops) == 1 {
		return gg.NewSolidPattern(i.stops[0].colour)
	}
	gradient := gg.NewLinearGradient(i.from.x, i.from.y, i.to.x, i.to.y)
	for _, s := range i.stops {
		gradient.AddColorStop(s.offset, s.colour)
	}
	return gradient
}

func (p picture) line(l *line) {
	if len(l.ink.stops) == 0 {
		return
	}
	p.Push()
	defer p.Pop()
	p.RotateAbout(l.angle, l.at.x, l.at.y)
	p.SetFontFace(p.face(l.style, l.size))
	p.SetColor(l.ink.stops[0].colour)
	p.DrawStringAnchored(l.text, l.at.x, l.at.y, l.anchor, 0)
}

func (p picture) face(style string, size float64) font.Face {
	key := style + strconv.FormatFloat(size, 'g', -1, 64)
	if p.faces[key] == nil {
		p.faces[key] = truetype.NewFace(parsed(style), &truetype.Options{Size: size})
	}
	return p.faces[key]
}
