//go:build !js

package placement

import (
	"strings"
	"testing"

	"berth/app/lab"
	"berth/app/lab/labtest"
)

// From the drop of a graph to its drawing the page makes few calls to the engine: the run includes
// the data of the first screen, and one more call looks for the best placement.
func TestCallsFromDropToDrawing(t *testing.T) {
	pool, calls := labtest.Counted(2)
	b := open(t, func(s *Services) { s.Engine = pool })
	calls.Since()
	for name, text := range map[string]string{"mine.dot": twoJobs, "federation.dot": twoClusters} {
		b.drop(lab.TextSource(name, text))
		b.wantDone()
		if made := calls.Since(); len(made) > 4 || b.picture.svg == "" || b.why.explanation == nil || b.result.Document.Link == "" {
			t.Errorf("%s: %d calls: %s", name, len(made), strings.Join(made, ", "))
		}
		if all := b.result.all; all.Input.Whole != nil || all == b.result.first {
			t.Errorf("%s: the document was asked for twice", name)
		}
	}
}

// However often the page receives a result, it starts only one search for it.
func TestOneSearchBesideAResult(t *testing.T) {
	pool, calls := labtest.Counted(2)
	b := open(t, func(s *Services) { s.Engine = pool })
	b.searches.leaveSearches()
	b.result.best = nil
	b.settle()
	calls.Since()
	for range 3 {
		b.searches.seekBest()
	}
	b.settle()
	if made := calls.Since(); len(made) != 1 || b.result.found() == nil {
		t.Errorf("%d calls: %s", len(made), strings.Join(made, ", "))
	}
}
