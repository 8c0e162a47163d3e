package vector_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/vector"
)

// drawing has each element that Graphviz and the frames around its drawings use.
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="120" viewBox="0 0 200 120" font-size="12">
<title>not drawn</title><rect width="100%" height="100%" fill="#ffffff"/>
<style>#job-1>path,#job-2>path{stroke:#0072b2;stroke-width:3;stroke-dasharray:6 3}</style>
<text x="12" y="18" font-weight="bold" fill="#1b1f24">A&amp;B: 50 % (x)</text>
<svg x="12" y="20" width="100" height="50" viewBox="0 0 50 25">
<g transform="scale(1 1) rotate(0) translate(4 20)">
<polygon fill="none" stroke="black" points="0,0 0,&#45;10 10,&#45;10 10,0 0,0"/>
<g id="job-1"><path fill="#e6f0f8" stroke="#7b8794" d="M5,&#45;5C6,&#45;6 7,&#45;7 8,&#45;5"/>
<text text-anchor="middle" x="5" y="&#45;4" font-size="10.00">job_1</text></g>
<ellipse fill="lightgrey" stroke="transparent" cx="20" cy="&#45;5" rx="4" ry="2"/>
<polyline fill="none" stroke="#b3261e" stroke-dasharray="1,5" points="0,0 5,5"/>
</g></svg>
<g class="legend"><g transform="translate(12 100)"><path d="M0,6h28v-2z" stroke="#7b8794"/><line x1="0" y1="1" x2="2" y2="3" stroke="black"/>
<text x="36" y="10" text-anchor="end">tight – 10 %</text></g></g>
</svg>`

func TestTikZ(t *testing.T) {
	got, err := vector.TikZ([]byte(drawing))
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/drawing.tikz", string(got))
}

func TestPDF(t *testing.T) {
	got, err := vector.PDF([]byte(drawing))
	if err != nil {
		t.Fatal(err)
	}
	offsetsLead(t, got)
	golden.Check(t, "testdata/drawing.pdf", string(got))
	if !bytes.Contains(got, []byte(`(A&B: 50 % \(x\)) Tj`)) || !bytes.Contains(got, []byte("tight \x96 10 %")) {
		t.Error("a text is missing")
	}
}

// offsetsLead checks that the table of a PDF leads to its objects.
func offsetsLead(t *testing.T, pdf []byte) {
	t.Helper()
	at := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(pdf)
	if at == nil {
		t.Fatalf("no table in\n%s", pdf)
	}
	table, _ := strconv.Atoi(string(at[1]))
	if !bytes.HasPrefix(pdf[table:], []byte("xref\n")) {
		t.Fatalf("at %d there is no table", table)
	}
	for i, entry := range regexp.MustCompile(`(\d{10}) 00000 n`).FindAllSubmatch(pdf[table:], -1) {
		offset, _ := strconv.Atoi(string(entry[1]))
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !bytes.HasPrefix(pdf[offset:], []byte(want)) {
			t.Errorf("object %d is not at %d", i+1, offset)
		}
	}
	length := regexp.MustCompile(`(?s)/Length (\d+) >>\nstream\n(.*)\nendstream`).FindSubmatch(pdf)
	if length == nil || string(length[1]) != strconv.Itoa(len(length[2])) {
		t.Error("the length of the page is wrong")
	}
}

func TestWhatCannotBePrinted(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(drawing, "job_1", "作业", 1): "lack the letter '作', in \"作业\". Save the drawing as SVG or PNG",
		"<svg></svg>":               "does not say how large it is",
		"<svg viewBox=\"0 0 1 1\">": "reading the drawing: XML syntax error",
	} {
		if _, err := vector.PDF([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v", text, err)
		}
	}
	if got, err := vector.TikZ([]byte(strings.Replace(drawing, "job_1", "作业", 1))); err != nil || !bytes.Contains(got, []byte("作业")) {
		t.Errorf("TikZ leaves letters to LaTeX: %v", err)
	}
}

func FuzzPrint(f *testing.F) {
	f.Add(drawing)
	f.Add(`<svg viewBox="0 0 1 1"><path d="M0,0zC1 h-V1e9"/><g transform="scale() matrix(1"/><text>x</text></svg>`)
	f.Fuzz(func(t *testing.T, svg string) {
		if pdf, err := vector.PDF([]byte(svg)); err == nil {
			offsetsLead(t, pdf)
		}
		_, _ = vector.TikZ([]byte(svg))
	})
}
