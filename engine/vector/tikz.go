package vector

import (
	"cmp"
	"fmt"
	"strings"

	"berth/engine/show"
)

// TikZ writes a drawing as a tikzpicture, one point of LaTeX for each of the drawing.
func TikZ(svg []byte) ([]byte, error) {
	p, err := read(svg)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{tikz}.\n\\begin{tikzpicture}[x=1pt, y=-1pt, font=\\sffamily]\n")
	for i := range p.shapes {
		if s := &p.shapes[i]; s.text != "" {
			tikzText(&b, s)
		} else if s.fill != nil || s.stroke != nil {
			tikzPath(&b, s)
		}
	}
	b.WriteString("\\end{tikzpicture}\n")
	return []byte(b.String()), nil
}

func (c *colour) tikz() string {
	return fmt.Sprintf("{rgb,255:red,%d;green,%d;blue,%d}", c.r, c.g, c.b)
}

func (p point) tikz() string { return "(" + short(p.x) + "," + short(p.y) + ")" }

func tikzPath(b *strings.Builder, s *shape) {
	var options []string
	if s.fill != nil {
		options = append(options, "fill="+s.fill.tikz())
	}
	if s.stroke != nil {
		options = append(options, "draw="+s.stroke.tikz(), "line width="+short(s.strokeWidth)+"pt")
	}
	if len(s.dashes) > 0 && s.stroke != nil {
		var pattern []string
		for i, d := range append(s.dashes, s.dashes...)[:2*((len(s.dashes)+1)/2)] {
			pattern = append(pattern, []string{"on ", "off "}[i%2]+short(d)+"pt")
		}
		options = append(options, "dash pattern="+strings.Join(pattern, " "))
	}
	fmt.Fprintf(b, "\\path[%s]", strings.Join(options, ", "))
	for _, to := range s.path {
		switch to.verb {
		case 'M':
			b.WriteString(" " + to.to[2].tikz())
		case 'L':
			b.WriteString(" -- " + to.to[2].tikz())
		case 'C':
			fmt.Fprintf(b, " .. controls %s and %s .. %s", to.to[0].tikz(), to.to[1].tikz(), to.to[2].tikz())
		case 'Z':
			b.WriteString(" -- cycle")
		}
	}
	b.WriteString(";\n")
}

func tikzText(b *strings.Builder, s *shape) {
	anchor := cmp.Or(map[string]string{"middle": "base", "end": "base east"}[s.anchor], "base west")
	text := show.LaTeX(s.text)
	if s.bold {
		text = "\\textbf{" + text + "}"
	}
	colour := s.fill
	if colour == nil {
		return
	}
	fmt.Fprintf(b, "\\node[anchor=%s, inner sep=0pt, text=%s, font=\\sffamily\\fontsize{%s}{%s}\\selectfont] at %s {%s};\n",
		anchor, colour.tikz(), short(s.size), short(1.2*s.size), s.at.tikz(), text)
}
