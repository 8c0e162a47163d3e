package vector

import (
	"cmp"
	"strconv"
	"strings"
)

// figures reads numbers that are separated by commas, spaces or letters.
func figures(text string) (all []float64) {
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return !strings.ContainsRune("0123456789.+-eE", r) }) {
		if value, err := strconv.ParseFloat(field, 64); err == nil {
			all = append(all, value)
		}
	}
	return all
}

func numbersOf(e *element, name string) []float64 {
	text, _ := e.attribute(name)
	return figures(text)
}

// transformOf reads translate, scale, rotate (about the origin by none) and matrix.
func transformOf(text string) affine {
	m := affine{a: 1, d: 1}
	for part := range strings.SplitSeq(text, ")") {
		name, inside, _ := strings.Cut(part, "(")
		n := append(figures(inside), 0, 0)
		given := len(n) - 2
		switch strings.TrimSpace(name) {
		case "translate":
			m = m.times(affine{a: 1, d: 1, e: n[0], f: n[1]})
		case "scale":
			if given == 1 {
				n[1] = n[0]
			}
			m = m.times(affine{a: n[0], d: n[1]})
		case "matrix":
			if given == 6 {
				m = m.times(affine{n[0], n[1], n[2], n[3], n[4], n[5]})
			}
		}
	}
	return m
}

// pathOf is the outline of an element that is one.
func pathOf(e *element, width, height float64) []segment {
	switch e.XMLName.Local {
	case "path":
		d, _ := e.attribute("d")
		return commands(d)
	case "polygon":
		return append(straight(numbersOf(e, "points")), segment{verb: 'Z'})
	case "polyline":
		return straight(numbersOf(e, "points"))
	case "line":
		return straight([]float64{e.number("x1"), e.number("y1"), e.number("x2"), e.number("y2")})
	case "ellipse":
		return ellipse(point{e.number("cx"), e.number("cy")}, e.number("rx"), e.number("ry"))
	case "circle":
		return ellipse(point{e.number("cx"), e.number("cy")}, e.number("r"), e.number("r"))
	case "rect":
		x, y, w, h := e.number("x"), e.number("y"), e.number("width"), e.number("height")
		if all, _ := e.attribute("width"); all == "100%" {
			w, h = width, height
		}
		return append(straight([]float64{x, y, x + w, y, x + w, y + h, x, y + h}), segment{verb: 'Z'})
	}
	return nil
}

func straight(n []float64) (path []segment) {
	for i := 0; i+1 < len(n); i += 2 {
		verb := byte('L')
		if i == 0 {
			verb = 'M'
		}
		path = append(path, end(verb, point{n[i], n[i+1]}))
	}
	return path
}

func end(verb byte, p point) segment { return segment{verb, [3]point{p, p, p}} }

// ellipse is four Bézier curves.
func ellipse(c point, rx, ry float64) []segment {
	const k = 0.5522847498307936 // 4(√2 − 1)/3
	at := func(x, y float64) point { return point{c.x + float64(x*rx), c.y + float64(y*ry)} }
	return []segment{
		end('M', at(1, 0)),
		{'C', [3]point{at(1, k), at(k, 1), at(0, 1)}}, {'C', [3]point{at(-k, 1), at(-1, k), at(-1, 0)}},
		{'C', [3]point{at(-1, -k), at(-k, -1), at(0, -1)}}, {'C', [3]point{at(k, -1), at(1, -k), at(1, 0)}},
		{verb: 'Z'},
	}
}

// commands reads the path data that Graphviz and the legend write: M, L, H, V, C and Z, and
// their relative forms.
func commands(d string) (path []segment) {
	var now, begin point
	for d = strings.TrimSpace(d); d != ""; {
		verb := d[0]
		rest := cmp.Or(strings.IndexFunc(d[1:], func(r rune) bool { return strings.ContainsRune("MLHVCZmlhvcz", r) })+1, len(d))
		n := figures(d[1:rest])
		d = d[rest:]
		origin := point{}
		if verb >= 'a' {
			origin = now
		}
		switch verb {
		case 'M', 'm', 'L', 'l':
			for i := 0; i+1 < len(n); i += 2 {
				now = point{origin.x + n[i], origin.y + n[i+1]}
				if verb >= 'a' {
					origin = now
				}
				kind := byte('L')
				if i == 0 && verb|32 == 'm' {
					kind, begin = 'M', now
				}
				path = append(path, end(kind, now))
			}
		case 'H', 'h', 'V', 'v':
			for _, to := range n {
				if verb|32 == 'h' {
					now.x = origin.x + to
				} else {
					now.y = origin.y + to
				}
				path = append(path, end('L', now))
			}
		case 'C', 'c':
			for i := 0; i+5 < len(n); i += 6 {
				s := segment{verb: 'C'}
				for k := range s.to {
					s.to[k] = point{origin.x + n[i+2*k], origin.y + n[i+2*k+1]}
				}
				now = s.to[2]
				if verb >= 'a' {
					origin = now
				}
				path = append(path, s)
			}
		case 'Z', 'z':
			path, now = append(path, segment{verb: 'Z'}), begin
		}
	}
	return path
}
