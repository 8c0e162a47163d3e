package vector

import (
	"berth/engine/show"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// PDF writes a drawing as a PDF of one page, with text in Helvetica, which every reader
// of PDF has. It fails where that font lacks a letter of the drawing.
func PDF(svg []byte) ([]byte, error) {
	p, err := read(svg)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	fmt.Fprintf(&page, "1 0 0 -1 0 %s cm\n", short(p.height))
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.text == "" {
			pdfPath(&page, s)
			continue
		}
		if err := pdfText(&page, s); err != nil {
			return nil, err
		}
	}
	font := "<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>"
	return document(
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /Font << /R 5 0 R /B 6 0 R >> >> >>", short(p.width), short(p.height)),
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", page.Len(), page.Bytes()),
		fmt.Sprintf(font, "Helvetica"),
		fmt.Sprintf(font, "Helvetica-Bold"),
	), nil
}

// document writes the objects of a PDF; the first one is its catalogue.
func document(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return b.Bytes()
}

// short writes a number with at most two decimals.
func short(v float64) string {
	text := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

func (c *colour) pdf() string {
	part := func(v uint8) string { return strconv.FormatFloat(float64(v)/255, 'f', 3, 64) }
	return part(c.r) + " " + part(c.g) + " " + part(c.b)
}

func (p point) pdf() string { return short(p.x) + " " + short(p.y) }

func pdfPath(b *bytes.Buffer, s *shape) {
	paint := "n"
	if s.fill != nil {
		paint = "f"
		fmt.Fprintf(b, "%s rg\n", s.fill.pdf())
	}
	if s.stroke != nil {
		paint = map[string]string{"n": "S", "f": "B"}[paint]
		fmt.Fprintf(b, "%s RG %s w [%s] 0 d\n", s.stroke.pdf(), short(s.strokeWidth), show.Joined(s.dashes, " ", short))
	}
	for _, to := range s.path {
		switch to.verb {
		case 'M':
			b.WriteString(to.to[2].pdf() + " m\n")
		case 'L':
			b.WriteString(to.to[2].pdf() + " l\n")
		case 'C':
			b.WriteString(to.to[0].pdf() + " " + to.to[1].pdf() + " " + to.to[2].pdf() + " c\n")
		case 'Z':
			b.WriteString("h\n")
		}
	}
	b.WriteString(paint + "\n")
}

func pdfText(b *bytes.Buffer, s *shape) error {
	if s.fill == nil {
		return nil
	}
	letters, err := winANSI(s.text)
	if err != nil {
		return err
	}
	font, widths := "R", &helvetica
	if s.bold {
		font, widths = "B", &helveticaBold
	}
	x := s.at.x
	if s.anchor != "start" && s.anchor != "" {
		var width float64
		for _, c := range letters {
			width += float64(float64(widths.of(c)) / 1000 * s.size)
		}
		x -= float64(width * map[string]float64{"middle": 0.5, "end": 1}[s.anchor])
	}
	fmt.Fprintf(b, "BT %s rg /%s %s Tf 1 0 0 -1 %s %s Tm (", s.fill.pdf(), font, short(s.size), short(x), short(s.at.y))
	for _, c := range letters {
		if strings.IndexByte(`()\`, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	b.WriteString(") Tj ET\n")
	return nil
}

// winANSI writes a text in the encoding of PDF's standard fonts: Latin 1, and some signs.
func winANSI(text string) ([]byte, error) {
	all := make([]byte, 0, len(text))
	for _, r := range text {
		switch sign, known := signs[r]; {
		case known:
			all = append(all, sign)
		case r >= ' ' && r < 0x7f || r >= 0xa0 && r <= 0xff:
			all = append(all, byte(r))
		default:
			return nil, fmt.Errorf("the standard fonts of PDF lack the letter %q, in %q. Save the drawing as SVG or PNG", r, text)
		}
	}
	return all, nil
}

var signs = map[rune]byte{
	'€': 0x80, '…': 0x85, '‘': 0x91, '’': 0x92, '“': 0x93, '”': 0x94, '•': 0x95, '–': 0x96, '—': 0x97, '™': 0x99,
	'\u202f': ' ', '\u2009': ' ', '−': 0x96, '\t': ' ', '\n': ' ',
}
