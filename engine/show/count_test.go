package show_test

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/show"
)

func TestCount(t *testing.T) {
	for _, test := range []struct {
		n           int64
		thing, want string
	}{
		{0, "job", "0 jobs"},
		{1, "job", "1 job"},
		{2, "job", "2 jobs"},
		{1, "dependency", "1 dependency"},
		{2, "dependency", "2 dependencies"},
		{1, "pass", "1 pass"},
		{7, "pass", "7 passes"},
		{11, "host event", "11 host events"},
	} {
		if got := show.Count(test.n, test.thing); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func ExampleVerb() {
	for n := range 3 {
		fmt.Println(show.Count(n, "link"), show.Verb(n, "is", "are"), "ignored")
	}
	// Output:
	// 0 links are ignored
	// 1 link is ignored
	// 2 links are ignored
}

func TestMoney(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0"}, {2321.2, "2 321.2"}, {4671.8071, "4 671.8"}, {507, "507"}, {0.04, "0.04"}, {0.96, "0.96"}, {-0.5, "-0.5"}, {0.0123456, "0.0123"}, {999.96, "1 000"}, {3350099.7, "3 350 099.7"},
	} {
		if got := strings.ReplaceAll(show.Money(c.in), "\u202f", " "); got != c.want {
			t.Errorf("Money(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for part, want := range map[float64]string{0: "0 %", 0.714: "71.4 %", 0.98765: "98.8 %", 0.9996: "99.96 %", 0.99999994: "99.999994 %", 1: "100 %", 1.5: "150 %"} {
		if got := strings.ReplaceAll(show.Percent(part), "\u202f", " "); got != want {
			t.Errorf("Percent(%v) = %q, want %q", part, got, want)
		}
	}
}
