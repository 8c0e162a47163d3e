package drawing

import (
	"fmt"
	"math"
	"strings"
)

// Edges run between the cells and between the rows of jobs, so that none passes through a title or
// a job. Parallel edges have lanes, according to their numbers.
const (
	lanes     = 7
	laneApart = 3.0
	corner    = 6.0 // radius
)

type point struct{ x, y float64 }

// end is one end of an edge: the box of a job or, at scale 0, of a cluster that is drawn without
// its jobs.
type end struct {
	seat
	id, title string
	cell      int    // number of its cell; -1 below the cells
	beside    []*end // all ends in the same box of a cluster, including this one
}

// route is the path of an edge.
type route struct {
	*grid
	lane float64 // distance from the middle of a gutter
}

func (g *grid) route(number int) route { return route{g, float64(number%lanes-lanes/2) * laneApart} }

// leftOf is the lane of the gutter left of a column of cells.
func (r route) leftOf(column int) float64 {
	return margin + float64(column)*(r.wide+gutter) - gutter/2 + r.lane
}

// above is the lane of the gutter above a row of cells.
func (r route) above(row int) float64 {
	return margin + float64(row)*(r.high+gutter) - gutter/2 + r.lane
}

// from leads a vertical line out of a box: sideways, or below if another box is in the way.
func (r route) from(e *end, x float64) []point {
	at, spread := e.middle(), r.lane*min(1, e.w/80)
	aside := point{e.x, at.y + spread/2}
	if x > at.x {
		aside.x = e.right()
	}
	for _, other := range e.beside {
		if between := other.middle(); other != e && math.Abs(between.y-at.y) < e.h/2 && (between.x-at.x)*(between.x-x) < 0 {
			y := e.bottom() + chipBelow*e.scale/2 + r.lane*e.scale/3
			return []point{{at.x + 2*spread, e.bottom()}, {at.x + 2*spread, y}, {x, y}}
		}
	}
	return []point{aside, {x, aside.y}}
}

// within connects two jobs of a cell.
func (r route) within(a, b *end) []point {
	if a.column > b.column {
		a, b = b, a
	}
	apart, x := chipApart*b.scale, b.middle().x+r.lane*min(1, b.w/80)
	switch {
	case a.column == b.column && a.row == b.row+1:
		return []point{{x, b.bottom()}, {x, a.y}}
	case a.column == b.column && b.row == a.row+1:
		return []point{{x, a.bottom()}, {x, b.y}}
	case b.column > 0:
		x = b.x - apart/2 + r.lane*b.scale/3
	default:
		x = b.right() + min(apart, boxPad)/2
	}
	return joined(r.from(a, x), r.from(b, x))
}

// path joins two ends.
func (r route) path(a, b *end) []point {
	if a.cell == b.cell && a.cell >= 0 && a.scale > 0 && b.scale > 0 {
		return r.within(a, b)
	}
	if a.cell < 0 { // both are below the cells
		y := a.y - 4 + r.lane/3
		return []point{{a.middle().x, a.y}, {a.middle().x, y}, {b.middle().x, y}, {b.middle().x, b.y}}
	}
	columnA, rowA := a.cell%r.columns, a.cell/r.columns
	columnB, rowB := b.cell%r.columns, b.cell/r.columns
	left, right := columnA+1, columnB
	switch {
	case columnA == columnB && columnA == r.columns-1 && columnA > 0:
		left, right = columnA, columnA
	case columnA == columnB:
		right = columnA + 1
	case columnA > columnB:
		left, right = columnA, columnB+1
	}
	x, z := r.leftOf(left), r.leftOf(right)
	if left == right {
		return joined(r.from(a, x), r.from(b, x))
	}
	y := r.above(rowA + 1)
	if rowB < rowA {
		y = r.above(rowA)
	}
	return joined(append(r.from(a, x), point{x, y}, point{z, y}), r.from(b, z))
}

// joined appends the second path, reversed, to the first.
func joined(a, b []point) []point {
	for i := len(b) - 1; i >= 0; i-- {
		a = append(a, b[i])
	}
	return a
}

// curve returns the attribute d of an SVG path with round corners. All its lines are horizontal or
// vertical.
func curve(points []point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%.1f,%.1f", points[0].x, points[0].y)
	for i := 1; i < len(points)-1; i++ {
		p, q, s := points[i-1], points[i], points[i+1]
		in, out := math.Abs(q.x-p.x)+math.Abs(q.y-p.y), math.Abs(s.x-q.x)+math.Abs(s.y-q.y)
		if in == 0 || out == 0 {
			continue
		}
		radius := min(corner, in/2, out/2)
		fmt.Fprintf(&b, "L%.1f,%.1fQ%.1f,%.1f %.1f,%.1f", q.x-(q.x-p.x)*radius/in, q.y-(q.y-p.y)*radius/in,
			q.x, q.y, q.x+(s.x-q.x)*radius/out, q.y+(s.y-q.y)*radius/out)
	}
	last := points[len(points)-1]
	fmt.Fprintf(&b, "L%.1f,%.1f", last.x, last.y)
	return b.String()
}
