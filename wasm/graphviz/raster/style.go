package raster

import (
	"image/color"
	"strconv"
	"strings"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/colornames"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// pattern returns the paint of a fill or stroke, or nil for none.
func (p *painter) pattern(paint string, opacity float64) gg.Pattern {
	if id, ok := strings.CutPrefix(paint, "url(#"); ok {
		return p.gradient(p.gradients[strings.TrimSuffix(id, ")")])
	}
	if paint == "none" || paint == "transparent" || paint == "" {
		return nil
	}
	return gg.NewSolidPattern(parseColour(paint, opacity))
}

// gradient returns a linear gradient. A radial one becomes the colour of its middle,
// because Graphviz defines it relative to the shape.
func (p *painter) gradient(e *element) gg.Pattern {
	if e == nil || len(e.Children) == 0 {
		return nil
	}
	if e.XMLName.Local == "radialGradient" {
		_, middle := parseStop(&e.Children[0])
		return gg.NewSolidPattern(middle)
	}
	x1, y1 := p.canvas.TransformPoint(e.number("x1", 0), e.number("y1", 0))
	x2, y2 := p.canvas.TransformPoint(e.number("x2", 0), e.number("y2", 0))
	gradient := gg.NewLinearGradient(x1, y1, x2, y2)
	for i := range e.Children {
		gradient.AddColorStop(parseStop(&e.Children[i]))
	}
	return gradient
}

// parseStop reads <stop offset="0" style="stop-color:red;stop-opacity:1."/>.
func parseStop(e *element) (offset float64, c color.Color) {
	name, opacity := "black", 1.0
	for property := range strings.SplitSeq(e.attribute("style"), ";") {
		switch key, value, _ := strings.Cut(property, ":"); key {
		case "stop-color":
			name = value
		case "stop-opacity":
			opacity, _ = strconv.ParseFloat(value, 64)
		}
	}
	return e.number("offset", 0), parseColour(name, opacity)
}

// parseColour reads #rrggbb or the name of an SVG colour; like Graphviz, it draws
// anything else in black.
func parseColour(text string, opacity float64) color.Color {
	c := colornames.Map[strings.ToLower(text)]
	if hex, ok := strings.CutPrefix(text, "#"); ok {
		if v, err := strconv.ParseUint(hex, 16, 32); err == nil && len(hex) == 6 {
			c = color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v)}
		}
	}
	return color.NRGBA{c.R, c.G, c.B, uint8(float64(255*max(0, min(1, opacity))) + 0.5)}
}

// faces caches the fonts in use by style and size in pixels.
type faces map[string]font.Face

func (f faces) get(e *element, scale float64) font.Face {
	size := e.number("font-size", 14) * scale
	style := styleOf(e)
	key := style + strconv.FormatFloat(size, 'g', -1, 64)
	if f[key] == nil {
		// The fonts are part of the program: they parse, or its tests fail.
		parsed, _ := truetype.Parse(fonts[style])
		f[key] = truetype.NewFace(parsed, &truetype.Options{Size: size})
	}
	return f[key]
}

var fonts = map[string][]byte{
	"":           goregular.TTF,
	"bold":       gobold.TTF,
	"italic":     goitalic.TTF,
	"bolditalic": gobolditalic.TTF,
	"mono":       gomono.TTF,
}

func styleOf(e *element) string {
	family := strings.ToLower(e.attribute("font-family"))
	if strings.Contains(family, "courier") || strings.Contains(family, "mono") {
		return "mono"
	}
	style := ""
	if e.attribute("font-weight") == "bold" {
		style = "bold"
	}
	if e.attribute("font-style") == "italic" {
		style += "italic"
	}
	return style
}
