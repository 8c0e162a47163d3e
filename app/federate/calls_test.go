//go:build !js

package federate

import (
	"strings"
	"testing"

	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/app/ui"
)

// From the drop of a trace to its charts and its slowest task, the page makes few calls to the
// engine: a look, a run of each scheduler and a question about the task.
func TestCallsFromDropToDrawing(t *testing.T) {
	pool, calls := labtest.Counted(2)
	b := openWith(t, pool)
	b.settle()
	b.Stage.Work(ui.PaneResult) // the stage also plays the run
	for _, schedulers := range [][]string{{"megha"}, {"megha", "sparrow", "pigeon"}} {
		b.do(func(in *inputs) { in.options.Schedulers = schedulers })
		calls.Since()
		b.drop(lab.TextSource("mine.tr", twoJobs))
		if read, run := calls.WorkerOf("read"), calls.WorkerOf("run"); len(schedulers) == 1 && read != run {
			t.Errorf("worker %d runs the trace that worker %d has read", run, read)
		}
		// The worker may have forgotten the run of the task; the page then sends it again.
		if made := calls.Since(); len(made)-labtest.Other(made, "run") != len(schedulers) || labtest.Other(made, "run") > 3 {
			t.Errorf("%d schedulers: %d calls: %s", len(schedulers), len(made), strings.Join(made, ", "))
		}
		if b.result.Document.Link == "" || b.why.explained().Answer == nil || b.surveyed() == nil {
			t.Errorf("link %q, task %v, survey %v", b.result.Document.Link, b.why.explained(), b.surveyed())
		}
	}
}
