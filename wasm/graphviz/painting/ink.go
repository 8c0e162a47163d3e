package painting

import (
	"image/color"
	"strconv"
	"strings"

	"github.com/golang/freetype/truetype"
	"golang.org/x/image/colornames"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// ink is a colour, or a linear gradient between two points. Without stops it draws
// nothing.
type ink struct {
	stops    []stop
	from, to point
}

type stop struct {
	offset float64 // from 0 to 1
	colour color.NRGBA
}

// ink parses the value of a fill or stroke attribute.
func (p *painter) ink(paint string, opacity float64) ink {
	if id, ok := strings.CutPrefix(paint, "url(#"); ok {
		return p.gradient(p.gradients[strings.TrimSuffix(id, ")")])
	}
	if paint == "none" || paint == "transparent" || paint == "" {
		return ink{}
	}
	return ink{stops: []stop{{colour: parseColour(paint, opacity)}}}
}

// gradient returns a linear gradient. A radial gradient becomes the colour of its
// centre, because Graphviz defines it relative to the shape.
func (p *painter) gradient(e *element) (i ink) {
	if e == nil {
		return ink{}
	}
	for k := range e.Children {
		i.stops = append(i.stops, parseStop(&e.Children[k]))
	}
	if e.XMLName.Local == "radialGradient" {
		i.stops = i.stops[:min(1, len(i.stops))]
	}
	i.from, i.to = p.at(e.number("x1", 0), e.number("y1", 0)), p.at(e.number("x2", 0), e.number("y2", 0))
	return i
}

// parseStop reads <stop offset="0" style="stop-color:red;stop-opacity:1."/>.
func parseStop(e *element) stop {
	name, opacity := "black", 1.0
	for property := range strings.SplitSeq(e.attribute("style"), ";") {
		switch key, value, _ := strings.Cut(property, ":"); key {
		case "stop-color":
			name = value
		case "stop-opacity":
			opacity, _ = strconv.ParseFloat(value, 64)
		}
	}
	return stop{e.number("offset", 0), parseColour(name, opacity)}
}

// parseColour parses #rrggbb or the name of an SVG colour. Like Graphviz, it takes
// anything else as black.
func parseColour(text string, opacity float64) color.NRGBA {
	c := colornames.Map[strings.ToLower(text)]
	if hex, ok := strings.CutPrefix(text, "#"); ok {
		if v, err := strconv.ParseUint(hex, 16, 32); err == nil && len(hex) == 6 {
			c = color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v)}
		}
	}
	return color.NRGBA{c.R, c.G, c.B, uint8(float64(255*max(0, min(1, opacity))) + 0.5)}
}

var fonts = map[string][]byte{
	"":           goregular.TTF,
	"bold":       gobold.TTF,
	"italic":     goitalic.TTF,
	"bolditalic": gobolditalic.TTF,
	"mono":       gomono.TTF,
}

// parsed parses a font of the program. Tests parse every font, so that no error can
// occur.
func parsed(style string) *truetype.Font {
	font, _ := truetype.Parse(fonts[style])
	return font
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
