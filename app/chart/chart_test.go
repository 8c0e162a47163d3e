package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
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
		name      string
		got, want [][]string
	}{
		{"bars", (&Bars{Items: []Bar{{"heuristic", 2321.2, 2321.2, 2321.2, 0}}}).rows(),
			[][]string{{"heuristic", "2321.2", "2321.2", "2321.2"}}},
		{"lines", (&Lines{Series: []Series{{"random", []Point{{5, 1.5, 1, 2}}}}}).rows(),
			[][]string{{"random", "5", "1.5", "1", "2"}}},
		{"heatmap", (&Heatmap{Rows: []string{"a", "b"}, Columns: []string{"x", "y"}, Values: []float64{1, math.NaN(), 3, 0.1}}).rows(),
			[][]string{{"a", "1", ""}, {"b", "3", "0.1"}}},
	} {
		if !slices.EqualFunc(c.got, c.want, slices.Equal) {
			t.Errorf("%s: rows %q, want %q", c.name, c.got, c.want)
		}
	}
}

func TestTableBesideAChart(t *testing.T) {
	p := &plate{ID: "p", Title: "Cost", Header: []string{"cluster", "cost"}, Cells: 4,
		Rows: func() [][]string { return [][]string{{"1000", "2321.25"}, {"17", ""}} }}
	got := app.HTMLString(p.table())
	if !strings.Contains(got, "<td>1000</td>") {
		t.Errorf("a name that looks like a number was written as a number:\n%s", got)
	}
	if !strings.Contains(got, `title="2321.25"`) {
		t.Errorf("the figure is not there in full:\n%s", got)
	}
	p.Cells = tableCells + 1
	if got := app.HTMLString(p.table()); strings.Contains(got, "<table") {
		t.Error("a table that nobody can read is drawn")
	}
}
