package drawing_test

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/placement/drawing"
)

// The legend has one entry for each sign in the drawing, and no others.
func TestLegendExplainsWhatIsDrawn(t *testing.T) {
	signs := func(d drawing.Drawing) (all []string) {
		for _, k := range d.Legend {
			if k.Text == "" || k.Mark() == "" {
				t.Errorf("%q says nothing", k.Sign)
			}
			all = append(all, k.Sign)
		}
		return all
	}
	d, f := read(t, deployment, federation)
	two := []drawing.Placed{place(t, d, f), {Index: 1, Name: "<b>", Deployment: d}}
	_, p := large(2000)
	ring, _ := large(2000)
	apart := drawing.Placed{Deployment: d, Core: []int{0, 1}, CoreClusters: []int{1}}
	for _, test := range []struct {
		placed []drawing.Placed
		view   drawing.View
		want   []string
	}{
		{two[:1], drawing.ResultView, []string{"tight", "wide", "same", "bar"}},
		{two[:1], drawing.FederationView, []string{"link", "bar"}},
		{two[1:], drawing.DeploymentView, []string{"unplaced"}},
		{two, drawing.DeploymentView, []string{"tight", "wide", "same", "unplaced", "deployment-0", "deployment-1"}},
		{[]drawing.Placed{apart}, drawing.ResultView, []string{"unplaced", "bar", "core"}},
		{[]drawing.Placed{apart}, drawing.DeploymentView, []string{"unplaced", "core"}},
		{[]drawing.Placed{apart}, drawing.FederationView, []string{"link", "bar", "core"}},
		{[]drawing.Placed{p}, drawing.ResultView, []string{"between", "bar"}},
	} {
		from := f
		if test.placed[0].Name == "ring" {
			from = ring
		}
		drawn := must.Get(drawing.Draw(from, test.placed, drawing.Options{View: test.view}))(t)
		if got := signs(drawn); !slices.Equal(got, test.want) {
			t.Errorf("%s: the legend has %v, want %v", test.view, got, test.want)
		}
	}
}

// A framed drawing is one XML document with title and legend as text.
func TestFramed(t *testing.T) {
	const svg = `<svg width="8pt" height="9pt" viewBox="0.00 0.00 8.00 9.00" xmlns="http://www.w3.org/2000/svg"><g><text>x</text></g></svg>`
	title := "<script>alert(1)</script> & " + strings.Repeat("long ", 30)
	framed := must.Get(drawing.Framed(svg, title, []drawing.Key{{Sign: "tight", Text: "tight <b>"}, {Sign: "bar", Text: "used"}, {Sign: "deployment-9", Text: "jobs"}, drawing.MovedKey}, []string{"job-0-1"}))(t)
	var text []string
	for decoder := xml.NewDecoder(strings.NewReader(framed)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, framed)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "script" {
			t.Error("the title runs")
		}
		if data, ok := token.(xml.CharData); ok {
			text = append(text, string(data))
		}
	}
	for _, want := range []string{"x", "tight <b>", "used", "jobs", drawing.MovedKey.Text} {
		if !slices.Contains(text, want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
	if !strings.Contains(framed, "#job-0-1>path") {
		t.Error("what moved is not outlined")
	}
	if _, err := drawing.Framed("<svg/>", "", nil, nil); err == nil {
		t.Error("a drawing without a size cannot be framed")
	}
}
