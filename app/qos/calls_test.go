//go:build !js

package qos

import (
	"strings"
	"testing"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/engine/scenario"
)

// From the drop of a workload to its timeline, with the comparison and the explanation, the page
// makes few calls to the engine: the run of a policy includes the data that is shown about it.
func TestCallsFromDropToDrawing(t *testing.T) {
	pool, calls := labtest.Counted(3)
	b := openWith(t, pool)
	calls.Since()
	b.drop(lab.TextSource("requests.csv", "id,submit_s,duration_s,class,cpu,memory\na,0,60,gold,0.5,0.5\nb,1,30,gold,0.5,0.5\n"))
	b.wantDone()
	made := calls.Since()
	if strips := b.why.stripsChart().(*chart.Chart).Of.(chart.Strips).Items; b.why.followedTimeline().Answer == nil || b.why.explained().Answer == nil || len(strips) == 0 || b.result.Document.Link == "" {
		t.Errorf("timeline %+v, %d strips, document %+v", b.why.followedTimeline(), len(strips), b.result.Document)
	}
	if len(made) > 4 {
		t.Errorf("%d calls: %s", len(made), strings.Join(made, ", "))
	}
}

// Pictures show only the first seed.
func TestFurtherSeedsAreNotDrawn(t *testing.T) {
	b := open(t)
	for seed, drawn := range []bool{true, false, false} {
		asked, _ := b.begins(b.result.Batch, &lab.BatchRun{Row: scenario.Row{Seed: seed}})
		if len(asked) > 0 != drawn {
			t.Errorf("of seed %d %d questions are asked", seed, len(asked))
		}
	}
}
