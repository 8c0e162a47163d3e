//go:build !js

package placement

import (
	"slices"
	"strings"
	"testing"

	"berth/app/lab"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
)

// The search of the example is played from its first step to its last one, forwards, backwards and
// by address.
func TestTheSearchIsPlayed(t *testing.T) {
	b := open(t)
	b.picture.selectView(b.Page, string(playView))
	b.settle()
	first := b.play.shown
	if first == nil || first.Step != 0 || first.Steps < int64(len(first.Order)) {
		t.Fatalf("it begins with %+v, %q", first, b.play.problem)
	}
	kinds := map[uint8]int{}
	for range first.Steps - 1 {
		kinds[b.play.shown.Kind]++
		b.why.stepWhy(1)
		b.settle()
	}
	last := b.play.shown
	if last.Kind != placement.PlayedEnd || kinds[placement.PlayedPlaced]-kinds[placement.PlayedBack] != len(last.Order) || kinds[placement.PlayedRefused] == 0 {
		t.Errorf("steps by kind %v, the last one is %+v", kinds, last)
	}
	for _, row := range b.picture.rows { // as in the result
		at := slices.IndexFunc(last.Order, func(j placement.PlayedJob) bool { return j.Job == row.Cells[0].Text })
		if at < 0 || last.Order[at].Cluster != row.Cells[1].Text {
			t.Errorf("job %s ends on %q, the result has %s", row.Cells[0].Text, last.Order[at].Cluster, row.Cells[1].Text)
		}
	}
	b.why.stepWhy(1)
	b.settle()
	if b.play.shown.Step != last.Step {
		t.Error("it goes on after the end")
	}
	b.why.stepWhy(-1)
	b.settle()
	place := b.shownPlace()
	if b.play.shown.Step != last.Step-1 || place.Get(placeStep) == "" {
		t.Errorf("one step back is step %d, the address has %v", b.play.shown.Step, place)
	}
	other := open(t)
	other.goTo(place)
	other.settle()
	if other.play.shown == nil || other.play.shown.Text != b.play.shown.Text {
		t.Errorf("the address %v leads to %+v", place, other.play.shown)
	}
}

// Next job skips refusals, and after a change of inputs playing continues at the same step.
func TestPlayingFollowsTheResult(t *testing.T) {
	b := open(t)
	b.picture.selectView(b.Page, string(playView))
	b.settle()
	b.play.refusals = false
	b.why.stepWhy(1)
	b.settle()
	if b.play.shown.Kind == placement.PlayedRefused {
		t.Errorf("the step after a decision is %q", b.play.shown.Text)
	}
	text := b.play.shown.Text
	b.Opening.GiveWay("open", inputsOf(&second.Scenario))
	b.settle()
	if s := b.play.shown; s == nil || s.Text == text {
		t.Errorf("after another example the step is %+v", s)
	}
	b.Edit("strategy", func(in *inputs) { in.options.Strategies = []placementkind.StrategyRun{{Name: "exact"}} })
	b.settle()
	if !strings.Contains(b.play.problem, "job by job") {
		t.Errorf("a strategy without steps: %q", b.play.problem)
	}
}

// Deployments that were placed at once are not played, because no search placed one of them alone.
func TestWhatWasPlacedAtOnceIsNotPlayed(t *testing.T) {
	b := open(t)
	b.choose(anywhere, lab.TextSource("one.dot", twoJobs), lab.TextSource("two.dot", oneJob))
	b.Edit("joint", func(in *inputs) { in.options.Joint = true })
	b.settle()
	b.picture.selectView(b.Page, string(playView))
	b.settle()
	if b.play.shown != nil || !strings.Contains(b.play.problem, "at once") {
		t.Errorf("played is %+v, %q", b.play.shown, b.play.problem)
	}
}
