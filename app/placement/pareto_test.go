//go:build !js

package placement

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/placement"
	"berth/engine/placement/placementkind"
)

// Cost can be traded against the measures that the inputs have. A point of the front opens its
// placement in the picture, with the moved jobs marked. Two points can be shown side by side with
// their differences. No point is below the bound.
func TestTradeOffsAreShown(t *testing.T) {
	b := open(t)
	if got, want := b.picture.Overview.Measures, []string{"latency", "resilience", "balance"}; !slices.Equal(got, want) {
		t.Fatalf("cost can be weighed against %v, want %v", got, want)
	}
	b.comparison.weigh(placement.Latency)
	b.settle()
	x := b.comparison.tradeoffs
	if x.problem != "" || x.front == nil || len(x.front.Points) < 3 {
		t.Fatalf("the front is %+v: %s", x.front, x.problem)
	}
	floor := floorOf(x.front)
	for i, p := range x.front.Points {
		if least := floor(float64(p.Values[1])); least > float64(p.Values[0])*(1+1e-9) || math.Abs(least-float64(p.Bound)) > 1e-6*least {
			t.Errorf("point %d costs %v, at least %v by the floor and %v by the report", i, p.Values[0], least, p.Bound)
		}
	}
	page := app.HTMLString(b.comparison.tradeoffsPanel())
	if got := strings.Count(page, `data-testid="pareto-point"`); got != len(x.front.Points) {
		t.Errorf("%d points are drawn of %d", got, len(x.front.Points))
	}
	last := len(x.front.Points) - 1
	b.comparison.openPoint(x, last)
	b.settle()
	want := movedBetween(placementsOf(b.result.report(0)), []placementkind.Assignment{x.front.Points[last].Placement})
	if !slices.Equal(b.picture.moved, want) || len(want) == 0 || !strings.Contains(app.HTMLString(b.comparison.pointNote()), "The picture shows") {
		t.Errorf("%v are marked, want %v", b.picture.moved, want)
	}
	x.Open = true
	b.comparison.tradeoffsPanel()
	b.comparison.sidesPane(x)
	b.settle()
	page = app.HTMLString(b.comparison.tradeoffsPanel())
	if x.last[0].Answer.svg == "" || x.last[1].Answer.svg == "" || strings.Count(page, ` id="pareto-picture-`) != 2 || !strings.Contains(page, "on another cluster") {
		t.Errorf("side by side are %q and %q", x.last[0].Answer.svg, x.last[1].Answer.svg)
	}
	b.picture.show(b.shown)
	b.settle()
	if x.point >= 0 || len(b.picture.moved) != 0 {
		t.Errorf("going back shows point %d with %v marked", x.point, b.picture.moved)
	}
	b.Form.SetOption("seed", "first seed", "4711", setSeed)
	b.settle()
	if next := b.comparison.tradeoffsOf(); next.front != nil {
		t.Error("the trade-offs of other inputs stay")
	}
}
