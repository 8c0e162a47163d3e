package drawing

import (
	"math"
	"slices"
	"unicode/utf8"

	"berth/engine/show"
)

// Sizes in the picture of a placement, in its own units. A letter has the width of an average
// letter.
const (
	chipHigh  = 24.0 // height of the box of a job
	chipFont  = 13.0
	chipApart = 14.0 // between two boxes of jobs, side by side
	chipBelow = 10.0 // between two boxes of jobs, one above the other
	letter    = 8.2
	boxHead   = 44.0 // height of the title of a cluster and its bar
	titleLine = 16.0 // height of the figures of a cluster below its name, in a narrow picture
	boxPad    = 10.0
	gutter    = 32.0 // between two cells, where edges run
	margin    = 26.0 // around all cells; edges run here, too

	mostLetters = 24 // longest drawn name; the rest is cut off
	wantedShape = 1.7

	// A narrow picture of this size has labels of 11 pixels on a phone. A larger one has smaller labels.
	narrowWide = 406.0
	narrowHigh = 4 * narrowWide
	waiting    = 3 // jobs without a cluster side by side, below the cells of a narrow picture
)

// grid has the positions of clusters and jobs. Each cluster has its own cell, in file order, with
// the same number of places for jobs. The positions depend only on the names and the number of
// clusters and jobs, so that no price, capacity or placement moves a cluster.
type grid struct {
	columns, rows int // of cells
	across, down  int // number of places for jobs at full size in a cell
	chip          float64
	wide, high    float64 // of a cell
	heading       float64 // height of a cell above the jobs
	shelved       float64 // height below the cells
}

// newGrid makes the grid for clusters and jobs with these names. The cells have room for jobs if
// drawn is set.
func newGrid(clusters, jobs []string, drawn, narrow bool) grid {
	places := 0
	if n, m := len(jobs), max(1, len(clusters)); drawn {
		places = min(n, max(4, (36+m-1)/m, (3*n+m-1)/m))
	}
	chip, title := 0.0, 0.0
	for _, name := range jobs {
		chip = max(chip, 18+letter*letters(name))
	}
	const figures = 15 // letters of " · 100 % · 12 345"
	for _, name := range clusters {
		long := letters(name) + figures
		if narrow {
			long = max(letters(name), figures)
		}
		title = max(title, letter*long)
	}
	form, longest := grid{chip: chip, heading: boxHead, shelved: chipHigh}, 3 // longer lists of jobs are hard to read
	if narrow {
		form.heading, longest = boxHead+titleLine, 6
		if drawn {
			form.shelved = max(1, float64((len(jobs)+waiting-1)/waiting))*(chipHigh+chipBelow) - chipBelow
		}
	}
	best, most := grid{}, 0.0
	for across := 1; across <= max(1, places); across++ {
		if down := (places + across - 1) / across; down > max(4, longest*across) {
			continue
		}
		for columns := 1; columns <= max(1, len(clusters)); columns++ {
			g := form
			g.columns, g.rows = columns, (max(1, len(clusters))+columns-1)/columns
			g.across, g.down = across, (places+across-1)/across
			g.wide = max(title, float64(across)*(chip+chipApart)-chipApart) + 2*boxPad
			g.high = g.heading + float64(g.down)*(chipHigh+chipBelow)
			w, h := g.size()
			if drawn { // a title may be wider than the jobs
				g.chip = (g.wide-2*boxPad+chipApart)/float64(across) - chipApart
			}
			if worth := worth(w, h, narrow); worth > most*(1+1e-9) {
				best, most = g, worth
			}
		}
	}
	return best
}

// worth returns the scale of a picture of this size in a frame of the wanted shape, which measures
// how legible it is. A narrow picture is legible at full size, and the lowest one is best.
func worth(w, h float64, narrow bool) float64 {
	if narrow {
		return min(1, narrowWide/w, narrowHigh/h) + 1e-3*w/h
	}
	return min(wantedShape/w, 1/h)
}

// letters returns the length of a drawn name in characters.
func letters(name string) float64 { return float64(utf8.RuneCountInString(drawnName(name))) }

// drawnName returns the part of a name that fits.
func drawnName(name string) string {
	name = show.Text(name)
	if runes := []rune(name); len(runes) > mostLetters {
		return string(runes[:mostLetters-1]) + "…"
	}
	return name
}

// size is the size of the picture. Below the cells there is always room for jobs without a cluster.
func (g *grid) size() (w, h float64) {
	return 2*margin + float64(g.columns)*(g.wide+gutter) - gutter, margin + float64(g.rows)*(g.high+gutter) + g.shelved + margin/2
}

// cell is the place of the i-th cluster.
func (g *grid) cell(i int) rect {
	return rect{margin + float64(i%g.columns)*(g.wide+gutter), margin + float64(i/g.columns)*(g.high+gutter), g.wide, g.high}
}

// shelf is the place of jobs without a cluster.
func (g *grid) shelf() rect {
	w, h := g.size()
	return rect{margin, h - margin/2 - g.shelved, w - 2*margin, g.shelved}
}

type rect struct{ x, y, w, h float64 }

func (r rect) right() float64  { return r.x + r.w }
func (r rect) bottom() float64 { return r.y + r.h }
func (r rect) middle() point   { return point{r.x + r.w/2, r.y + r.h/2} }

// seat is the position of a job.
type seat struct {
	rect
	scale       float64 // scale of the box of the job and its label
	column, row int
}

// seats gives each job a position in an area for across × down boxes at full size. numbers are the
// indexes, in ascending order, of the jobs in the area among all jobs. A job prefers the same
// column everywhere, so that few jobs move when one is added or removed. If the area is too small,
// the boxes are smaller.
func (g *grid) seats(area rect, across, down int, numbers []int) []seat {
	n := len(numbers)
	columns, scale := across, 0.0
	for c := across; c <= 3*across && scale < 1; c++ {
		r := max((n+c-1)/c, 1)
		if s := min(1, area.w/(float64(c)*(g.chip+chipApart)-chipApart), (area.h+chipBelow)/(float64(r)*(chipHigh+chipBelow))); s > scale+1e-9 {
			columns, scale = c, s
		}
	}
	most, filled := (n+columns-1)/columns, make([]int, columns)
	if columns == across && scale == 1 {
		most = max(most, down)
	}
	all := make([]seat, n)
	for i, number := range numbers {
		c := number % columns
		if filled[c] >= most {
			c = slices.Index(filled, slices.Min(filled))
		}
		all[i] = seat{rect{
			area.x + float64(c)*scale*(g.chip+chipApart), area.y + float64(filled[c])*scale*(chipHigh+chipBelow), scale * g.chip, scale * chipHigh,
		}, scale, c, filled[c]}
		filled[c]++
	}
	return all
}

// inside is the area of a cell that holds jobs.
func (g *grid) inside(cell rect) rect {
	return rect{cell.x + boxPad, cell.y + g.heading, cell.w - 2*boxPad, cell.h - g.heading - chipBelow}
}

// holding is the box of a cluster with these jobs: a cell or its upper part.
func (g *grid) holding(cell rect, jobs []seat) rect {
	cell.h = g.heading - 4
	for _, s := range jobs {
		cell.h = max(cell.h, s.bottom()+chipBelow-cell.y)
	}
	return cell
}

// open returns the box of a cluster with n jobs. The box is larger than the cell and covers its
// neighbours, but stays in the picture.
func (g *grid) open(cell rect, n int) (box rect, across, down int) {
	across = max(1, int(math.Sqrt(float64(n)/3)+0.5))
	down = (n + across - 1) / across
	cell.w = max(cell.w, float64(across)*(g.chip+chipApart)-chipApart+2*boxPad)
	cell.h = g.heading + float64(down)*(chipHigh+chipBelow)
	w, h := g.size()
	cell.x, cell.y = max(0, min(cell.x, w-cell.w)), max(0, min(cell.y, h-cell.h))
	return cell, across, down
}
