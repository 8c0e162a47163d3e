package chart

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/federate"
	"berth/engine/placement"
	"berth/engine/qos"
)

func TestInlineBar(t *testing.T) {
	for _, c := range []struct {
		fraction float64
		want     string
	}{
		{0.5, `width="50.0"`},
		{2, `width="100.0"`},
		{-1, `width="0.0"`},
	} {
		if got := string(InlineBar(c.fraction)); !strings.Contains(got, c.want) {
			t.Errorf("InlineBar(%v) = %s, want %s", c.fraction, got, c.want)
		}
	}
	if got := InlineBar(math.NaN()); got != "" {
		t.Errorf("InlineBar(NaN) = %s, want nothing", got)
	}
}

func TestRowsHoldEveryFigureInFull(t *testing.T) {
	for _, c := range []struct {
		name string
		of   Figures
		want [][]string
	}{
		{"bars", Bars{Items: []Bar{{Label: "heuristic", Value: 2321.2, Low: 2321.2, High: 2321.2}}},
			[][]string{{"heuristic", "2321.2", "2321.2", "2321.2"}}},
		{"lines", Lines{Series: []Series{{Name: "random", Points: []Point{{5, 1.5, 1, 2}}}}},
			[][]string{{"random", "5", "1.5", "1", "2"}}},
		{"heatmap", Heatmap{Rows: []string{"a", "b"}, Columns: []string{"x", "y"}, Values: []float64{1, math.NaN(), 3, 0.1}},
			[][]string{{"a", "1", ""}, {"b", "3", "0.1"}}},
		{"areas", Areas{X: []float64{0, 0.5}, Layers: []Layer{{Name: "gold", Values: []float64{1, math.NaN()}}},
			Outlines: []Layer{{Name: "gold", Values: []float64{2, 3.25}}}},
			[][]string{{"0", "1", "2"}, {"0.5", "", "3.25"}}},
		{"stacks", Stacks{Items: []Stack{{"megha", []float64{0.5, 0.25}}}},
			[][]string{{"megha", "0.5", "0.25", "0.75"}}},
		{"boxes", Boxes{Items: []Box{{"gold", "qos", "", 3, 1, 2, 3, 4, 5, 3.5, math.NaN(), 4, nil}}},
			[][]string{{"gold", "qos", "3", "1", "2", "3", "4", "5", "3.5", "", "4"}}},
		{"histogram", Histogram{Edges: []float64{0, 0.1, 1}, Series: []Counts{{Values: []float64{7, 8}}, {Values: []float64{0, 1}}}},
			[][]string{{"0", "0.1", "7", "0"}, {"0.1", "1", "8", "1"}}},
		{"paired", Paired{Bins: 2, Counts: []float64{0, 3, 0, 0}},
			[][]string{{"0.5", "1", "0", "0.5", "3"}}},
		{"strips", Strips{Items: []Strip{{Group: "gold", Name: "qos", Values: []float64{1, math.NaN()}}}},
			[][]string{{"gold", "qos", "1", "1"}, {"gold", "qos", "2", ""}}},
		{"timeline", Timeline{Rows: []string{"h1"}, Intervals: []Interval{{7, 0, 0, "r7", "gold", 1, 2.5, 9}}},
			[][]string{{"h1", "7", "r7", "gold", "1", "2.5", "9"}}},
		{"cells", Cells{Blocks: []string{"LM 1"}, Partitions: []string{"GM 1", "GM 2"}, Items: []Cell{{"w1", 0, 1}},
			Changes: []Change{{0.5, States, 0, int(Pending)}, {1, Queues, 0, 3}}},
			[][]string{{"w1", "LM 1", "GM 2", "", "free"}, {"w1", "LM 1", "GM 2", "0.5", "pending"}}},
	} {
		p := c.of.plot()
		if got := p.records(); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: rows %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTableBesideAChart(t *testing.T) {
	c := &Chart{ID: "p", Title: "Cost"}
	p := plot{header: []string{"cluster", "cost"}, cells: 4, rows: func(add addRow) { add("1000", 2321.25); add("17", math.NaN()) }}
	got := app.HTMLString(c.table(p))
	if !strings.Contains(got, "<td>1000</td>") {
		t.Errorf("a name that looks like a number was written as a number:\n%s", got)
	}
	if !strings.Contains(got, `title="2321.25"`) {
		t.Errorf("the figure is not there in full:\n%s", got)
	}
	p.cells = tableCells + 1
	if got := app.HTMLString(c.table(p)); strings.Contains(got, "<table") {
		t.Error("a table that no one can read is drawn")
	}
}

func TestStyleOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		place int
		want  Style
	}{
		{"gold", 0, "gold"},
		{"Gold", 3, "gold"},
		{"qos", 3, "series-4"},
		{"platinum", 0, "series-1"},
		{"platinum", 9, "series-2"},
	} {
		if got := StyleOf(c.name, c.place); got != c.want {
			t.Errorf("StyleOf(%q, %d) = %q, want %q", c.name, c.place, got, c.want)
		}
	}
	if got := parts(t, Lines{Series: []Series{{Name: "a", Style: "bronze"}, {Name: "b"}}}, "series"); got[0]["style"] != "bronze" || got[1]["style"] != "series-2" {
		t.Errorf("styles of series: %v", got)
	}
}

func TestEachOfOneKindHasItsOwnColour(t *testing.T) {
	for _, kind := range [][]string{qos.Names(), federate.Names(), placement.Names(), {"gold", "silver", "bronze"}} {
		seen := map[Style]string{}
		for place, name := range kind {
			s := StyleOf(name, place)
			if other, ok := seen[s]; ok {
				t.Errorf("%s looks like %s", name, other)
			}
			seen[s] = name
		}
	}
}

func TestThoseShownTogetherHaveTheirOwnColour(t *testing.T) {
	for _, c := range []struct {
		places []int
		want   []Style
	}{
		{nil, []Style{}},
		{[]int{2, 10, 3}, []Style{"series-3", "series-4", "series-5"}},
		{[]int{20, 4}, []Style{"series-5", "series-6"}},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7, 9}, []Style{"series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "series-7", "series-8", "series-2"}},
	} {
		if got := Apart(c.places); !slices.Equal(got, c.want) {
			t.Errorf("places %v look like %v, want %v", c.places, got, c.want)
		}
	}
}

func TestBoxWithoutFiguresHasNone(t *testing.T) {
	nan := math.NaN()
	box := parts(t, Boxes{Items: []Box{{"gold", "qos", "", 1, nan, nan, 3, nan, nan, nan, nan, nan, nil}}}, "items")[0]
	if _, ok := box["low"]; ok || box["median"] != 3.0 {
		t.Errorf("box %v, want a median alone", box)
	}
}

func TestBoxesOfAPolicyLookTheSameInEveryGroup(t *testing.T) {
	boxes := parts(t, Boxes{Items: []Box{{Group: "a", Name: "x"}, {Group: "a", Name: "y"}, {Group: "b", Name: "y"}}}, "items")
	if boxes[1]["style"] != boxes[2]["style"] || boxes[0]["style"] == boxes[1]["style"] {
		t.Errorf("styles of boxes: %v", boxes)
	}
}

func TestColumnsHaveAnArrayForEachField(t *testing.T) {
	lives := Lives{Items: []Life{{ID: 3, Label: "a", Spans: []Span{{1, 2, false}, {2, 5, true}}}, {ID: 4, Label: "b", Spans: []Span{{6, 7, false}}}},
		Events: []Event{{At: -1, Sends: Message{Refused: true}}}}
	got := object(reflect.ValueOf(lives), 0)
	items, events := got["items"].(map[string]any), got["events"].(map[string]any)
	want := map[string]any{"from": []float64{1, 2, 6}, "to": []float64{2, 5, 7}, "preempted": []uint8{0, 1, 0}, "first": []int32{0, 2, 3}}
	if !reflect.DeepEqual(items["id"], []int32{3, 4}) || !reflect.DeepEqual(items["label"], []string{"a", "b"}) || !reflect.DeepEqual(items["spans"], want) {
		t.Errorf("columns of requests: %v", items)
	}
	if !reflect.DeepEqual(events["at"], []int32{-1}) || !reflect.DeepEqual(events["sends"].(map[string]any)["refused"], []uint8{1}) {
		t.Errorf("columns of events: %v", events)
	}
}

// parts returns the elements of a list in the form that the script of a chart gets.
func parts(t *testing.T, of Figures, list string) []map[string]any {
	t.Helper()
	all, ok := object(reflect.ValueOf(of), 0)[list].([]any)
	if !ok {
		t.Fatalf("%T has no list %s", of, list)
	}
	return column(all, func(part any) map[string]any { return part.(map[string]any) })
}

func TestNothingToDraw(t *testing.T) {
	for _, c := range []struct {
		c    Chart
		want string
	}{
		{Chart{Of: Lines{}}, "There is nothing to draw yet."},
		{Chart{Of: Paired{Bins: 2, Counts: make([]float64, 4)}, Empty: "Run it."}, "Run it."},
	} {
		if got := app.HTMLString(c.c.Render()); !strings.Contains(got, c.want) {
			t.Errorf("the chart does not say %q:\n%s", c.want, got)
		}
	}
}

// A chart is drawn again if its figures differ. They must not contain handlers, which always
// differ.
func TestFiguresOfAChart(t *testing.T) {
	rows := []string{"a"}
	for _, of := range []Figures{Bars{}, Lines{}, Areas{}, Stacks{}, Boxes{}, Histogram{}, Heatmap{}, Paired{}, Strips{}, Timeline{Rows: rows}, Lives{}, Cells{Blocks: rows}} {
		for field := range reflect.TypeOf(of).Fields() {
			if field.Type.Kind() == reflect.Func {
				t.Errorf("%T has the handler %s", of, field.Name)
			}
		}
	}
	if reflect.DeepEqual(Timeline{Rows: rows}, Timeline{Rows: rows, Seek: 1}) {
		t.Error("another time to seek is no other figure")
	}
}
