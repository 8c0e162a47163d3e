package figure_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"berth/engine/figure"
	"berth/engine/input/csv"
)

func TestNumbersAreUndefinedInOneWay(t *testing.T) {
	for x, want := range map[figure.Number]string{
		0: "0", 1.5: "1.5", 1234.56: "1234.56", 1e-7: "1e-7", figure.Number(math.Inf(1)): "null", figure.Undefined: "null",
	} {
		data, err := json.Marshal(x)
		if err != nil || string(data) != want {
			t.Errorf("%v is %s in JSON, %v; want %s", float64(x), data, err, want)
		}
		var back figure.Number
		if err := json.Unmarshal(data, &back); err != nil || back.Defined() != (want != "null") || back.Defined() && back != x {
			t.Errorf("%s is read as %v, %v", data, back, err)
		}
	}
	for x, want := range map[figure.Number]string{figure.Undefined: "–", 0.123456: "0.1235", 1234.56: "1234.6"} {
		if x.String() != want {
			t.Errorf("%v is written %s, want %s", float64(x), x, want)
		}
	}
	if figure.From(nil).Defined() || figure.From(new(2.0)) != 2 {
		t.Error("a pointer to nothing is a number, or 2 is none")
	}
}

func TestEstimates(t *testing.T) {
	for _, c := range []struct {
		of        []float64
		text      string
		n         int
		low, high float64
	}{
		{nil, "–", 0, math.NaN(), math.NaN()},
		{[]float64{3, math.NaN()}, "3", 1, 3, 3},
		{[]float64{2, 4}, "3 ± 12.71", 2, 3 - 12.706204736, 3 + 12.706204736},
	} {
		e := figure.EstimateOf(c.of)
		low, high := e.Interval()
		if e.N != c.n || e.String() != c.text || !(math.Abs(low-c.low) < 1e-8) && c.n > 0 || !(math.Abs(high-c.high) < 1e-8) && c.n > 0 {
			t.Errorf("%v: %s of %d, from %v to %v", c.of, e, e.N, low, high)
		}
	}
}

var points = []figure.Percentile{{Name: "min"}, {Name: "p50", P: 0.5}, {Name: "max", P: 1}}

func TestQuantiles(t *testing.T) {
	q := figure.QuantilesOf([]float64{4, 1, 2, 3}, points)
	data, err := json.Marshal(q)
	if want := `{"mean":2.5,"min":1,"p50":2.5,"max":4}`; err != nil || string(data) != want {
		t.Fatalf("%s, %v; want %s", data, err, want)
	}
	var back figure.Quantiles
	if err := json.Unmarshal(data, &back); err != nil || back.Mean != 2.5 || back.At("max") != 4 || back.At("p99").Defined() {
		t.Errorf("read back they are %+v, %v", back, err)
	}
	if none := figure.QuantilesOf(nil, points); none.Mean.Defined() || none.At("p50").Defined() {
		t.Errorf("of nothing they are %+v", none)
	}
}

func FuzzQuantiles(f *testing.F) {
	for _, text := range []string{`{"mean":1,"p50":null}`, `null`, `[]`, `{"mean":"x"}`, `{"a":{}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var q figure.Quantiles
		if json.Unmarshal([]byte(text), &q) != nil {
			return
		}
		first, err := json.Marshal(q)
		var again figure.Quantiles
		if err != nil || json.Unmarshal(first, &again) != nil {
			t.Fatalf("%s becomes %s, which is not read: %v", text, first, err)
		}
		if second, _ := json.Marshal(again); string(second) != string(first) {
			t.Errorf("%s becomes %s and then %s", text, first, second)
		}
	})
}

// table is a report with one figure of each of two subjects.
type table []float64

func (t table) Subject(i int) any { return figure.At(t, i) }

// A new figure appears in everything that uses the declarations: text, CSV, JSON and estimates.
func TestAFigureIsDeclaredOnce(t *testing.T) {
	all := []figure.Figure{
		figure.Of(figure.Figure{Name: "x", Label: "x", Unit: "s", Path: "of.x"}, func(x *float64) figure.Number { return figure.Number(*x) }),
		figure.Of(figure.Figure{Name: "n", Label: "n", Form: figure.Count, Column: "number"}, func(x *float64) figure.Number { return figure.Number(100_000 * *x) }),
		figure.Of(figure.Figure{Name: "hidden", Path: "of.y"}, func(x *float64) figure.Number { return 1 }),
	}
	body := table{1, 2.5}
	if heads, cells := figure.Columns(all), figure.Cells(all, &body[1], csv.Number); !slices.Equal(heads, []string{"x", "number", "hidden"}) || !slices.Equal(cells, []string{"2.5", "250000", "1"}) {
		t.Errorf("the columns are %q with %q", heads, cells)
	}
	n := figure.Named(all, "n")
	if n.Text(&body[1]) != "250000" || n.Value(body, 2).Defined() || n.Of("another").Defined() || all[0].Row() != "x, s" || figure.Named(all, "y") != nil {
		t.Errorf("n is %s, of a subject that is not there %v", n.Text(&body[1]), n.Value(body, 2))
	}
	estimates := figure.Over(figure.Labelled(all), []*float64{&body[0], &body[1]})
	if len(estimates) != 2 || estimates["x"].Mean != 1.75 || estimates.At("y").N != 0 {
		t.Errorf("the estimates are %v", estimates)
	}
	o := figure.NewObject("name", "a")
	o.Add(all, &body[0])
	if data, err := json.Marshal(o); err != nil || string(data) != `{"name":"a","of":{"x":1,"y":1}}` {
		t.Errorf("the JSON is %s, %v", data, err)
	}
}
