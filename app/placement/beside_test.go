//go:build !js

package placement

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/lab/labtest"
)

// Compare shows the heuristic's placement next to the best one and marks the jobs on different
// clusters in both. Another press shows one picture again.
func TestTwoPlacementsAreComparedInPictures(t *testing.T) {
	b := open(t)
	b.searches.seekBest()
	b.settle()
	b.comparison.compareOnStage()
	b.settle()
	b.comparison.besidePane()
	b.settle()
	if drawn := b.comparison.beside.last; !b.comparison.comparesOnStage() || drawn[0].Answer.svg == "" || drawn[1].Answer.svg == "" {
		t.Fatalf("two pictures: %v, %q, %q", b.comparison.comparesOnStage(), drawn[0].Problem, drawn[1].Problem)
	}
	html := app.HTMLString(b.comparison.besidePane())
	labtest.Has(t, html, `data-testid="side-by-side"`, `data-testid="beside-picture-0"`, `data-testid="beside-picture-1"`, "A: Heuristic", "B: Best", "on another cluster")
	b.comparison.compareOnStage()
	if html := app.HTMLString(b.comparison.besidePane()); strings.Contains(html, "side-by-side") {
		t.Error("the two pictures stay")
	}
}

// The tour has a step for each part of the stage, and ends when a dial has changed the result.
func TestTheTourEndsInAChangedResult(t *testing.T) {
	b := open(t)
	find := func() string { return app.HTMLString(b.Render()) }
	if html := find(); !strings.Contains(html, `data-testid="tour-start"`) || strings.Contains(html, `data-testid="tour"`) {
		t.Fatal("the stage does not offer the tour, or is in its midst")
	}
	for step := 1; step <= 5; step++ {
		b.Tour.Go(step)
		if html := find(); !strings.Contains(html, "step "+string(rune('0'+step))+" of 5") {
			t.Errorf("step %d is not shown", step)
		}
	}
	if strings.Contains(find(), "The result has changed") {
		t.Error("nothing was changed yet")
	}
	b.Dials.TurnFirst()
	b.settle()
	if html := find(); b.Phase != lab.Done || !strings.Contains(html, "The result has changed") {
		t.Error("the tour does not say that the result changed")
	}
	b.Tour.Go(0)
	if strings.Contains(find(), `data-testid="tour"`) {
		t.Error("the tour stays")
	}
}
