package show_test

import (
	"math"
	"testing"

	"berth/engine/show"
)

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "-1.5e3": -1500, "+2": 2, ".5": 0.5, "7.": 7, "1E-2": 0.01, "1e400": math.Inf(1), "-1e400": math.Inf(-1), "1e-400": 0,
	} {
		if got, ok := show.ParseNumber(text); !ok || got != want {
			t.Errorf("%s: %v, %t; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " 1", "1_0", "0x10", "0X1p4", "0x_1p4", "1,5", "e5", "one", "--1"} {
		if got, ok := show.ParseNumber(text); ok {
			t.Errorf("%q: %v, want none", text, got)
		}
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.5: "0.5", 0.00001: "0.00001", 1e6: "1000000", 0.0003 / 1e-3: "0.3", 50e-9 / 1e-9: "50"} {
		if got := show.Number(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}
