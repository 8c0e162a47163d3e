package placement

import (
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/placement/drawing"
)

// The fullest cluster comes first, by its scarcest resource, and the parts of its bar add up to the
// used amount.
func TestBarsAreOfTheFullestResource(t *testing.T) {
	o := crowded(300)
	f := figuresOf(o)
	if want := []int{2, 1, 0, 3}; !slices.Equal(f.byUse, want) {
		t.Errorf("the clusters are %v, want %v", f.byUse, want)
	}
	for j, segments := range segmentsOf(o, "") {
		sum := 0.0
		for _, s := range segments {
			sum += s.share
		}
		if resource, share := fullest(o, j); resource != 1 && j < 3 || math.Abs(sum-share) > 1e-9 {
			t.Errorf("cluster %d: the bar is %v long, %v of resource %d are used", j, sum, share, resource)
		}
	}
	rows := barRows(o, f.byUse, "job-0-4", 1)
	for i, row := range rows {
		if marked := strings.Contains(string(row.Cells[2].After), `class="found"`); marked != (i == 1) || (row.Class == "found") != (i == 1) {
			t.Errorf("row %d is marked: %t", i, marked)
		}
	}
}

// The matrix has each dependency between two clusters on both sides of its diagonal, and begins
// with the cluster with the least slack.
func TestMatrixCountsTheDependencies(t *testing.T) {
	o := crowded(9)
	o.Between = []drawing.Between{{A: 0, B: 0, Count: 5, Slack: 1}, {A: 0, B: 2, Count: 3, Slack: 0.5}, {A: 1, B: 2, Count: 2, Slack: 0.1}}
	f := figuresOf(o)
	if want := []int{2, 1, 0}; !slices.Equal(f.between, want) {
		t.Errorf("the clusters are %v, want %v", f.between, want)
	}
	if want := []float64{0, 2, 3, 2, 0, 0, 3, 0, 5}; !slices.Equal(f.count, want) {
		t.Errorf("the counts are %v, want %v", f.count, want)
	}
	for i, want := range []float64{-1, 10, 50, 10, -1, -1, 50, -1, -1} {
		if got := f.slack[i]; want >= 0 && got != want || want < 0 && !math.IsNaN(got) {
			t.Errorf("the slack of cell %d is %v, want %v", i, got, want)
		}
	}
}
