package drawing

import (
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"berth/engine/show"
)

// Sizes in a framed picture, in pixels.
const (
	frameGap    = 12  // margin
	frameLine   = 18  // distance between lines of text
	frameLetter = 6.5 // mean width of a letter
	frameLeast  = 320 // smallest width
)

// viewBox returns the width and height in the viewBox of an SVG element.
func viewBox(svg string) (w, h string, ok bool) {
	tag, _, _ := strings.Cut(svg, ">")
	_, box, _ := strings.Cut(tag, ` viewBox="`)
	box, _, closed := strings.Cut(box, `"`)
	figures := strings.Fields(box)
	if !strings.HasPrefix(tag, "<svg") || !closed || len(figures) != 4 {
		return "", "", false
	}
	return figures[2], figures[3], true
}

// Framed wraps an SVG in a standalone <svg> element, with a title above and a legend below. Elements
// with the ids in moved get the outline of MovedKey. An SVG without a viewBox is an error.
func Framed(svg, title string, legend []Key, moved []string) (string, error) {
	across, down, ok := viewBox(svg)
	w, noWidth := strconv.ParseFloat(across, 64)
	h, noHeight := strconv.ParseFloat(down, 64)
	if !ok || noWidth != nil || noHeight != nil {
		return "", errors.New("the drawing does not say how large it is")
	}
	lines := broken(show.Words(title), max(w, frameLeast))
	width := max(w, frameLeast) + 2*frameGap
	top := frameGap + frameLine*float64(len(lines))
	height := top + h + frameGap + frameLine*float64(len(legend)) + frameGap
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="Helvetica, Arial, sans-serif" font-size="12" role="img">`,
		width, height, width, height)
	fmt.Fprintf(&b, `<title>%s</title><rect width="100%%" height="100%%" fill="%s"/>`, html.EscapeString(show.Words(title)), paper)
	if len(moved) > 0 {
		var shapes []string
		for _, id := range moved {
			shapes = append(shapes, "#"+id+">rect", "#"+id+">path", "#"+id+">g>a>path")
		}
		fmt.Fprintf(&b, "<style>%s{%s}</style>", strings.Join(shapes, ","), movedStyle)
	}
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-weight="bold" fill="%s">%s</text>`, frameGap, frameGap+frameLine*i+6, ink, html.EscapeString(line))
	}
	fmt.Fprintf(&b, `<svg x="%d" y="%.0f" width="%.2f" height="%.2f" viewBox="0 0 %s %s">%s`, frameGap, top, w, h, across, down, svg[strings.IndexByte(svg, '>')+1:])
	b.WriteString(`<g class="legend">`)
	for i, k := range legend {
		y := top + h + frameGap + frameLine*float64(i)
		fmt.Fprintf(&b, `<g transform="translate(%d %.0f)">%s<text x="%d" y="10" fill="%s">%s</text></g>`, frameGap, y, k.Mark(), KeyWidth+8, ink, html.EscapeString(show.Words(k.Text)))
	}
	b.WriteString("</g></svg>")
	return b.String(), nil
}

// broken breaks a title into lines of at most the given width.
func broken(title string, width float64) []string {
	most := int(width / frameLetter)
	var lines []string
	for word := range strings.FieldsSeq(title) {
		if last := len(lines) - 1; last >= 0 && utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word) <= most {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
