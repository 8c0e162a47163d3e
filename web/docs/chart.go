package docs

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// chart is a simple chart with a y axis from 0 to 1. If the x axis has names, it draws bars,
// otherwise lines over a logarithmic x axis.
type chart struct {
	x, y  string // labels of the axes
	names []string
	from  float64 // lowest value of the logarithmic axis
	lines []line
}

// line is one line of a line chart, or the bars of one color.
type line struct {
	name   string
	points [][2]float64 // x and y; for bars x is the index of the name
}

// The plot is 400 × 180, with room for the labels around it.
const (
	left, top     = 48, 12
	width, height = 400, 180
)

// svg draws the chart; colour and dashes distinguish the lines, which have a legend.
func (c *chart) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %d %d" role="img" aria-label="%s">`, left+width+120, top+height+48,
		template.HTMLEscapeString(c.y+" by "+c.x))
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		y := c.atY(share)
		fmt.Fprintf(&b, `<path class="grid" d="M%d %.1fh%d"/><text x="%d" y="%.1f" text-anchor="end">%v</text>`, left, y, width, left-6, y+4, share)
	}
	c.ticks(&b)
	for i, l := range c.lines {
		if c.names != nil {
			c.bars(&b, i, l)
		} else {
			c.curve(&b, i, l)
		}
		y := float64(top + 12 + 18*i)
		fmt.Fprintf(&b, `<path class="line line-%d" d="M%d %.1fh24"/><text x="%d" y="%.1f">%s</text>`, i+1,
			left+width+8, y-4, left+width+36, y, template.HTMLEscapeString(l.name))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text></svg>`, left+width/2, top+height+40, template.HTMLEscapeString(c.x))
	return b.String()
}

func (c *chart) curve(b *strings.Builder, number int, l line) {
	var path strings.Builder
	for i, p := range l.points {
		fmt.Fprintf(&path, "%s%.1f %.1f", map[bool]string{true: "M", false: " "}[i == 0], c.atX(p[0]), c.atY(p[1]))
	}
	fmt.Fprintf(b, `<path class="line line-%d" d="%s"/>`, number+1, path.String())
}

// bars draws one bar per point. A bar is a thick line.
func (c *chart) bars(b *strings.Builder, number int, l line) {
	const breadth = 20
	for _, p := range l.points {
		x := c.atX(p[0]) + breadth*(float64(number)-float64(len(c.lines)-1)/2)
		fmt.Fprintf(b, `<path class="bar line-%d" d="M%.1f %dV%.1f"/>`, number+1, x, top+height, c.atY(p[1]))
	}
}

func (c *chart) ticks(b *strings.Builder) {
	tick := func(x float64, text string) {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`, c.atX(x), top+height+18, template.HTMLEscapeString(text))
	}
	for i, name := range c.names {
		tick(float64(i), name)
	}
	if c.names == nil {
		for x := c.from; x <= c.most(); x *= 10 {
			tick(x, fmt.Sprintf("%.4g", x))
		}
	}
}

// most returns the largest x.
func (c *chart) most() float64 {
	most := 0.0
	for _, l := range c.lines {
		for _, p := range l.points {
			most = max(most, p[0])
		}
	}
	return most
}

func (c *chart) atX(x float64) float64 {
	if c.names == nil {
		return left + width*max(0, math.Log10(x/c.from))/math.Log10(c.most()/c.from)
	}
	return left + width*(x+0.5)/float64(len(c.names))
}

func (c *chart) atY(y float64) float64 { return top + height*(1-y) }
