package scenario_test

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
)

// carriers returns the same link in each format.
func carriers(t testing.TB, link string) map[string][]byte {
	t.Helper()
	var drawn bytes.Buffer
	must.Do(t, png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 9, 9))))
	return map[string][]byte{
		"svg":  []byte(scenario.CarryInSVG(`<svg xmlns="http://www.w3.org/2000/svg"><title>berth-scenario:2.forged</title></svg>`, link)),
		"png":  slices.Insert(drawn.Bytes(), scenario.PNGHeader, scenario.CarryInPNG(link)...),
		"html": []byte("<!doctype html><html><head>" + scenario.CarryInHTML(link) + "</head></html>"),
	}
}

func TestPicturesCarryTheirScenario(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(minimal)))(t)
	link := must.Get(scenario.EncodeLink(s))(t)
	for format, file := range carriers(t, link) {
		document, err := scenario.Carried(file)
		if err != nil || !scenario.Carries(file) {
			t.Fatalf("%s: %v", format, err)
		}
		if again, err := scenario.Decode(document); err != nil || again.Hash() != s.Hash() {
			t.Errorf("%s: another scenario, %v", format, err)
		}
		if format == "png" {
			if _, err := png.Decode(bytes.NewReader(file)); err != nil {
				t.Error(err)
			}
		}
	}
	for format, file := range carriers(t, link[:len(link)-9]) {
		if _, err := scenario.Carried(file); err == nil {
			t.Errorf("%s: a link that is cut off was read", format)
		}
	}
	if same, err := scenario.Carried([]byte(minimal)); err != nil || string(same) != minimal {
		t.Errorf("a document was changed: %v", err)
	}
}

func FuzzCarried(f *testing.F) {
	for _, file := range carriers(f, pack(f, []byte(minimal))) {
		f.Add(file)
	}
	f.Add([]byte("<svg>berth-scenario:"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if document, err := scenario.Carried(file); err == nil && scenario.Carries(file) && len(document) > scenario.MaxLinkBytes {
			t.Errorf("a document of %d bytes", len(document))
		}
	})
}
