package ui

import (
	"math"
	"strings"
	"testing"
	"time"
)

// spaced replaces thin spaces, so that the tables below can use plain ones.
func spaced(s string) string { return strings.ReplaceAll(s, thinSpace, " ") }

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0"},
		{1, "1"},
		{5.5, "5.5"},
		{0.82, "0.82"},
		{0.08215, "0.0822"},
		{9.996, "10"},
		{99.96, "100"},
		{231.4, "231"},
		{999.6, "1 000"},
		{2321.2, "2 321"},
		{1234567, "1 234 567"},
		{-31.54, "−31.5"},
		{0.00001234, "1.23·10⁻⁵"},
		{2.5e17, "2.5·10¹⁷"},
		{-4e20, "−4·10²⁰"},
		{math.NaN(), "–"},
		{math.Inf(1), "∞"},
		{math.Inf(-1), "−∞"},
	} {
		if got := spaced(Number(c.in)); got != c.want {
			t.Errorf("Number(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Unit(31.54, "ms"), "31.5 ms"},
		{Unit(math.NaN(), "ms"), "–"},
		{Percent(0.714), "71.4 %"},
		{Percent(1), "100 %"},
		{Count(125751), "125 751"},
		{Count(-1000), "−1 000"},
		{Bytes(0), "0 B"},
		{Bytes(999), "999 B"},
		{Bytes(999_600), "1 MB"},
		{Bytes(9_300_000), "9.3 MB"},
		{Duration(400 * time.Nanosecond), "0.4 µs"},
		{Duration(400 * time.Microsecond), "400 µs"},
		{Duration(999_800 * time.Microsecond), "1 s"},
		{Duration(12340 * time.Millisecond), "12.3 s"},
		{Duration(200 * time.Second), "3 min 20 s"},
		{Duration(7199 * time.Second), "119 min 59 s"}, {Duration(2 * time.Hour), "2 h 0 min"}, {Duration(78570 * time.Second), "21 h 50 min"},
		{Duration(47*time.Hour + 59*time.Minute + 45*time.Second), "48 h 0 min"}, {Duration(1000 * time.Hour), "41 d 16 h"}, {Duration(0), "0 s"},
		{Short("9f3c"), "9f3c"},
		{Short("9f3c01234567"), "9f3c0123…"},
		{Exact(0.1), "0.1"},
		{Counted(1, "job"), "1 job"},
		{Counted(1200, "job"), "1 200 jobs"},
	} {
		if spaced(c.got) != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestNumberSeparatesWithThinSpaces(t *testing.T) {
	if got, want := Number(1234567), "1\u202f234\u202f567"; got != want {
		t.Errorf("Number(1234567) = %q, want %q", got, want)
	}
}
