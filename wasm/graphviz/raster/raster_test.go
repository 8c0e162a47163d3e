package raster

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/golang/freetype/truetype"
)

// drawn draws elements on 72 by 36 points, which are 96 by 48 pixels.
func drawn(t *testing.T, elements string) image.Image {
	t.Helper()
	data, err := PNG([]byte(`<svg width="72pt" height="36pt" viewBox="0.00 0.00 72.00 36.00"><g transform="scale(1 1) rotate(0) translate(6 30)">` + elements + `</g></svg>`))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
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

// ink returns the box around everything that is drawn.
func ink(img image.Image) image.Rectangle {
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
		return ink(drawn(t, `<text x="30" y="-12" font-family="Times,serif" font-size="14.00" `+attributes+`>Him</text>`))
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
	if turned := ink(drawn(t, `<g transform="translate(30 -12) rotate(90)"><text font-size="7">HHH</text></g>`)); turned.Dy() <= turned.Dx() {
		t.Errorf("turned text is at %v", turned)
	}
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
		if err := xml.Unmarshal([]byte("<text "+attributes+"/>"), &e); err != nil {
			t.Fatal(err)
		}
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
