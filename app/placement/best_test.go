//go:build !js

package placement

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
	"berth/examples"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// The page shows the heuristic's placement and the cost of the best one. One press shows the best
// one in all panes, with the moved jobs marked, and another shows the heuristic's again.
func TestTheBestStandsBesideTheHeuristics(t *testing.T) {
	b := open(t)
	const heuristics, best = "All 12 jobs placed for\u00a03\u202f033.4. Best possible: 2\u202f653.1 (proved).", "All 12 jobs placed for\u00a02\u202f653.1, the cheapest possible (proved)."
	before := b.cells()
	if got := b.sentence(); got != heuristics || b.shown != 0 || b.Status().Message != heuristics {
		t.Fatalf("strategy %d is shown with %q, %q", b.shown, got, b.Status().Message)
	}
	b.picture.show(b.headline().other)
	b.settle()
	s := b.result.report(b.shown)
	if got := b.sentence(); got != best || s.Strategy != "best" || s.Deployments[0].Proved != placement.ProvedOptimal {
		t.Fatalf("%s is shown with %q", s.Strategy, got)
	}
	if got := b.headline().details; !strings.Contains(strings.Join(got, " "), "Heuristic: 3\u202f033.4.") {
		t.Errorf("the details are %q", got)
	}
	moved := movedBetween(placementsOf(b.result.report(0)), []placementkind.Assignment{s.Deployments[0].Placement})
	if b.cells() == before || len(moved) == 0 || len(b.picture.moved) != len(moved) || b.picture.overview.run != b.result.best.run {
		t.Errorf("%v are marked, %v stand elsewhere", b.picture.moved, moved)
	}
	if e := b.why.explanation; b.why.problem != "" || e.Order != "" {
		t.Errorf("explained is a search in the order %q: %s", e.Order, b.why.problem)
	}
	if got := b.otherLabel(b.headline().other); got != "Show the heuristic's" {
		t.Errorf("the button says %q", got)
	}
	b.picture.show(b.headline().other)
	b.settle()
	if b.cells() != before || b.sentence() != heuristics || len(b.picture.moved) != 0 {
		t.Errorf("going back shows %q with %v marked", b.sentence(), b.picture.moved)
	}
}

// The table compares cost, bound and proof of all strategies and of the best placement.
func TestTheTableHasCostBoundAndProofOfEachStrategy(t *testing.T) {
	b := open(t)
	r := b.result
	if got := len(r.body().Strategies); got != 3 || len(r.strategies()) != 3 {
		t.Fatalf("%d strategies are compared, %d are named", got, len(r.strategies()))
	}
	for i, want := range [][]string{
		{"3\u202f033.4", "2\u202f653.1", "14.3\u202f%"}, {}, {"2\u202f653.1", "2\u202f653.1", "0\u202f%", "optimal"},
	} {
		s := r.report(i)
		for k, m := range slices.Concat(tallied(placementkind.OfCost)[2:3], tallied(placementkind.OfCertificate))[:len(want)] {
			if got := m.of(s, r.body()); got != want[k] {
				t.Errorf("%s: figure %d is %q, want %q", s.Strategy, k, got, want[k])
			}
		}
	}
}

// While the search for the best runs, the heuristic's result is shown and the headline says what is
// known. Other inputs end the search.
func TestTheSearchForTheBestHoldsNothingUp(t *testing.T) {
	b := open(t)
	var before string
	var during headline
	var old *result
	begun := make(chan bool)
	b.Engine = bridge.NewPool(2, bridge.Local(func() bridge.Server { return slow{handler.New(nil), begun} }))
	b.Form.SetOption("seed", "first seed", "4711", setSeed)
	go b.engine.(interface{ Start(int) }).Start(60) // the page's loop continues during the search
	onPage := func(do func()) {
		done := make(chan bool)
		b.Page.Dispatch(func(app.Context) {
			do()
			close(done)
		})
		<-done
	}
	<-begun
	onPage(func() {
		old, before = b.result, b.sentence()
		old.best.note(placementkind.TracePoint{Cost: 2700, Bound: 2610})
		during = b.headline()
		b.Form.SetOption("seed", "first seed", "4712", setSeed)
		b.Runs.Run()
	})
	for over := false; !over; {
		onPage(func() { over = b.result != old && b.result.best != nil && !b.result.seeks() })
	}
	var after string
	onPage(func() { after = b.sentence() })
	if want := "All 12 jobs placed for\u00a03\u202f033.4. Best so far 3\u202f033.4, at least 1\u202f528."; before != want {
		t.Errorf("while the search runs the headline is %q, want %q", before, want)
	}
	if want := "Best so far 2\u202f700, at least 2\u202f610"; during.best != want || !during.soFar {
		t.Errorf("with 2 700 and 2 610 known it says %q, want %q, and offers to show it: %v", during.best, want, during.soFar)
	}
	if old == nil || old.seeks() || b.result == old || b.Inputs.options.Seed != 4712 || !strings.Contains(after, "Best possible") {
		t.Errorf("after other inputs the headline is %q", after)
	}
}

// Before the first placement, the headline counts the constraints that the search still violates.
func TestTheSearchCountsBrokenConstraints(t *testing.T) {
	r := open(t).result
	none := *r.report(0)
	none.Deployments = slices.Clone(none.Deployments)
	none.Total.Total, none.Deployments[0].Cost.Total, none.Deployments[0].Bound = figure.Undefined, figure.Undefined, nil
	for broken, want := range []string{"Looking for the best", "Looking for a placement: 1 constraint still broken", "Looking for a placement: 2 constraints still broken"} {
		r.best = &searching{broken: broken}
		if got := r.soFar(&none); got != want {
			t.Errorf("with %d broken constraints it says %q, want %q", broken, got, want)
		}
	}
}

// Each example of up to 50 jobs says with its result that it is optimal, or what the optimum is.
func TestExamplesOpenCertified(t *testing.T) {
	for _, e := range examples.List() {
		if e.Scenario.Kind != placementkind.Name || strings.HasPrefix(e.Name, "thesis-") || e.Name == "hard" {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			b := open(t)
			b.Opening.GiveWay("open", inputsOf(&e.Scenario))
			b.wantDone()
			if got := b.result.jobs(); got > 50 {
				t.Fatalf("it has %d jobs", got)
			}
			text := b.sentence()
			if !strings.Contains(text, "(proved)") && !strings.Contains(text, "infeasible") || utf8.RuneCountInString(text) > show.MostHeadline {
				t.Errorf("the headline is %q", text)
			}
		})
	}
}

// slow is an engine whose first search for the best ends only when it is stopped.
type slow struct {
	bridge.Server
	begun chan bool // closed then
}

func (s slow) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	var q bridge.CallBody[bridge.RunQuery]
	if call.Method != bridge.MethodRun || call.DecodeBody(&q) != nil || placementkind.Of(*q.Scenario).Strategies[0].Name != bestName || placementkind.Of(*q.Scenario).Seed != 4711 {
		s.Server.Serve(ctx, call, send)
		return
	}
	close(s.begun)
	<-ctx.Done()
	m, _ := call.Reply(bridge.KindError, bridge.Error{Kind: bridge.Fault, Message: "stopped"}, nil)
	send(m)
}
