package painting

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/golang/freetype/truetype"

	"berth/engine/must"
)

// drawn draws elements on 72 by 36 points, which are 96 by 48 pixels.
func drawn(t *testing.T, elements string) image.Image {
	t.Helper()
	data := must.Get(PNG([]byte(`<svg width="72pt" height="36pt" viewBox="0.00 0.00 72.00 36.00"><g transform="scale(1 1) rotate(0) translate(6 30)">` + elements + `</g></svg>`)))(t)
	img := must.Get(png.Decode(bytes.NewReader(data)))(t)
	if size := img.Bounds().Size(); size != image.Pt(96, 48) {
		t.Fatalf("%v pixels, want 96 × 48", size)
	}
	return img
}

// at returns the colour at a point of the translated coordinates.
func at(img image.Image, x, y float64) string {
	c := color.NRGBAModel.Convert(img.At(int((x+6)*96/72), int((y+30)*96/72))).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
}

func TestShapes(t *testing.T) {
	const red, blue, none = "#ff0000ff", "#0000ffff", "#00000000"
	type point struct {
		x, y float64
		want string
	}
	tests := []struct {
		name, elements string
		points         []point
	}{
		{
			"polygon", `<polygon fill="red" stroke="blue" stroke-width="4" points="0,0 0,-24 24,-24 24,0 0,0"/>`,
			[]point{{12, -12, red}, {0, -12, blue}, {12, -24, blue}, {30, -12, none}},
		},
		{"unfilled", `<polygon fill="none" stroke="none" points="0,0 0,-24 24,-24 24,0"/>`, []point{{12, -12, none}, {0, -12, none}}},
		{"polyline", `<polyline fill="none" stroke="#0000ff" stroke-width="4" points="0,-12 24,-12 24,0"/>`, []point{{12, -12, blue}, {24, -6, blue}, {12, -5, none}}},
		{
			"ellipse", `<ellipse fill="red" stroke="blue" stroke-width="4" cx="24" cy="-12" rx="20" ry="8"/>`,
			[]point{{24, -12, red}, {44, -12, blue}, {24, -20, blue}, {4, -22, none}},
		},
		{"path", `<path fill="none" stroke="blue" stroke-width="4" d="M0,-12C8,-12 16,-12 24,-12 30,-12 40,-12 48,-12"/>`, []point{{12, -12, blue}, {40, -12, blue}, {56, -12, none}}},
		{
			"dashes", `<path fill="none" stroke="blue" stroke-width="4" stroke-dasharray="6,6" d="M0,-12C8,-12 16,-12 48,-12"/>`,
			[]point{{3, -12, blue}, {9, -12, none}, {15, -12, blue}, {21, -12, none}},
		},
		{"opacity", `<polygon fill="#ff0000" fill-opacity="0.498039" stroke="transparent" points="0,0 0,-24 24,-24 24,0"/>`, []point{{12, -12, "#ff00007f"}}},
		{"nested", `<g><a><polygon fill="red" points="0,0 0,-24 24,-24 24,0"/></a></g>`, []point{{12, -12, red}}},
		{"unknown", `<title>red</title><image/>`, []point{{12, -12, none}}},
		{
			"linear gradient", `<defs><linearGradient id="l" gradientUnits="userSpaceOnUse" x1="0" y1="-12" x2="24" y2="-12">
				<stop offset="0" style="stop-color:red;stop-opacity:1.;"/><stop offset="1" style="stop-color:blue;stop-opacity:1.;"/>
				</linearGradient></defs><polygon fill="url(#l)" points="-6,0 -6,-24 30,-24 30,0"/>`,
			[]point{{-4, -12, red}, {28, -12, blue}},
		},
		{
			"radial gradient", `<defs><radialGradient id="r" cx="50%" cy="50%" r="75%"><stop offset="0" style="stop-color:red;stop-opacity:1.;"/>
				</radialGradient></defs><polygon fill="url(#r)" points="0,0 0,-24 24,-24 24,0"/>`,
			[]point{{12, -12, red}},
		},
		{"no such gradient", `<polygon fill="url(#none)" points="0,0 0,-24 24,-24 24,0"/>`, []point{{12, -12, none}}},
		{"turned", `<g transform="translate(24 -12) rotate(90)"><polygon fill="red" points="-12,4 -12,-4 12,-4 12,4"/></g>`, []point{{24, -20, red}, {34, -12, none}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			img := drawn(t, test.elements)
			for _, p := range test.points {
				if got := at(img, p.x, p.y); got != p.want {
					t.Errorf("%s at %g, %g: want %s", got, p.x, p.y, p.want)
				}
			}
		})
	}
}

// inked returns the box around everything that is drawn.
func inked(img image.Image) image.Rectangle {
	var box image.Rectangle
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if _, _, _, alpha := img.At(x, y).RGBA(); alpha > 0 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

func TestText(t *testing.T) {
	text := func(attributes string) image.Rectangle {
		return inked(drawn(t, `<text x="30" y="-12" font-family="Times,serif" font-size="14.00" `+attributes+`>Him</text>`))
	}
	start, middle, end := text(""), text(`text-anchor="middle"`), text(`text-anchor="end"`)
	const x, y = (30 + 6) * 96 / 72, (-12 + 30) * 96 / 72
	if start.Min.X < x || end.Max.X > x+1 || middle.Min.X >= x || middle.Max.X <= x {
		t.Errorf("around %d: start %v, middle %v, end %v", x, start, middle, end)
	}
	if start.Max.Y < y-1 || start.Max.Y > y+1 || start.Dy() < 11 || start.Dy() > 16 {
		t.Errorf("text of 14 points on the line %d is at %v", y, start)
	}
	if bold := text(`font-weight="bold"`); bold == start {
		t.Error("bold text is as wide as other text")
	}
	if turned := inked(drawn(t, `<g transform="translate(30 -12) rotate(90)"><text font-size="7">HHH</text></g>`)); turned.Dy() <= turned.Dx() {
		t.Errorf("turned text is at %v", turned)
	}
}

const shaded = `<svg width="72pt" height="36pt" viewBox="0 0 72 36"><g transform="translate(6 30)">
<defs><linearGradient id="l" x1="0" y1="-10" x2="20" y2="-10"><stop offset="0" style="stop-color:red;stop-opacity:1.;"/><stop offset="1" style="stop-color:blue;stop-opacity:1.;"/></linearGradient></defs>
<polygon fill="url(#l)" stroke="none" points="0,0 0,-10 20,-10 20,0"/>
<path fill="none" stroke="#0000ff" stroke-opacity="0.5" stroke-width="3" stroke-dasharray="6,3" d="M0,0C1,-1 2,-2 3,-3"/>
<text text-anchor="end" x="30" y="-12" font-size="7" fill="#ff0000">Жé</text></g></svg>`

// streams returns the decompressed streams of a PDF, concatenated.
func streams(t *testing.T, pdf []byte) string {
	t.Helper()
	var all strings.Builder
	for _, part := range bytes.Split(pdf, []byte("stream\n"))[1:] {
		if r, err := zlib.NewReader(bytes.NewReader(part)); err == nil {
			must.Get(io.Copy(&all, r))(t)
		}
	}
	return all.String()
}

func TestPDF(t *testing.T) {
	pdf := must.Get(PDF([]byte(shaded)))(t)
	if again, err := PDF([]byte(shaded)); err != nil || !bytes.Equal(again, pdf) {
		t.Errorf("another time the PDF differs, or %v", err)
	}
	if !bytes.Contains(pdf, []byte("/MediaBox [0 0 72.00 36.00]")) {
		t.Error("the page does not have the size of the drawing")
	}
	drawn := streams(t, pdf)
	for what, want := range map[string]string{
		"polygon, as a clip":        "6.00 6.00 m\n6.00 16.00 l\n26.00 16.00 l\n26.00 6.00 l\nh\nW n\nq 6.00 16.00 20.00 -20.00 re W n\n",
		"colour":                    "0.000 0.000 1.000 RG\n3.00 w\n[6.00 3.00] 0.00 d\n",
		"curve":                     "6.00 6.00 m\n7.00000 7.00000 8.00000 8.00000 9.00000 9.00000 c\nS\n",
		"text, and where it begins": "BT 25.65 18.00 Td (\x04\x16\x00\xe9) Tj ET",
		"colour of the text":        "1.000 0.000 0.000 rg",
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("no %s, %q, in\n%.600q", what, want, drawn)
		}
	}
	_, err := PDF([]byte(strings.Replace(shaded, "é", "作", 1)))
	if want := `a PDF has Latin, Greek and Cyrillic letters, and not '作' of "Ж作". Save the drawing as SVG`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func FuzzPDF(f *testing.F) {
	f.Add(shaded)
	f.Add(`<svg width="1" height="1" viewBox="0 0 1 1"><path d="M0,0C1"/><g transform="scale() rotate(1"/><text>x</text></svg>`)
	f.Fuzz(func(t *testing.T, svg string) { _, _ = PDF([]byte(svg)) })
}

func TestFonts(t *testing.T) {
	for style, data := range fonts {
		if _, err := truetype.Parse(data); err != nil {
			t.Errorf("%q: %v", style, err)
		}
	}
	styles := map[string]string{
		``:                                       "",
		`font-family="Courier"`:                  "mono",
		`font-weight="bold"`:                     "bold",
		`font-style="italic"`:                    "italic",
		`font-weight="bold" font-style="italic"`: "bolditalic",
	}
	for attributes, want := range styles {
		var e element
		must.Do(t, xml.Unmarshal([]byte("<text "+attributes+"/>"), &e))
		if got := styleOf(&e); got != want || fonts[got] == nil {
			t.Errorf("%s: style %q, want %q", attributes, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	tests := []struct{ name, svg, want string }{
		{"nothing", "", "reading the drawing"},
		{"no size", `<svg viewBox="0 0 1 1"/>`, "has no size"},
		{"no box", `<svg width="1pt" height="1pt"/>`, "has no size"},
		{"negative", `<svg width="-1pt" height="1pt" viewBox="0 0 1 1"/>`, "has no size"},
		{"not a number", `<svg width="NaNpt" height="1pt" viewBox="0 0 1 1"/>`, "has no size"},
		{"large", `<svg width="90000pt" height="90000pt" viewBox="0 0 1 1"/>`, "14400 megapixels: at most 50"},
		{"infinite", `<svg width="Inf" height="1pt" viewBox="0 0 1 1"/>`, "megapixels"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := PNG([]byte(test.svg))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
