//go:build !js

package federate

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
)

// For a trace without machines the page asks which to use, and shows how busy they would be.
func TestWhichMachines(t *testing.T) {
	b := open(t)
	b.do(func(in *inputs) {
		small(in)
		in.sources[federatekind.TraceSlot] = lab.TextSource("busy.tr", "0 1 8 8\n10 1 8 8\n") // 16 s of work arrive in 10 s
		in.options.Workers, in.options.GMs = 4, 3
	})
	b.wantDone()
	asked := app.HTMLString(b.files.aboutMachines())
	labtest.Has(t, asked, "Which machines? 4 workers, all alike, would be "+ui.Percent(0.4)+" busy", "2 workers, "+ui.Percent(0.8)+" busy", `data-testid="fed-busy-95"`, "Try an example list")
	if strings.Count(asked, "2 workers") != 1 {
		t.Errorf("the same is offered twice: %s", asked)
	}
	b.do(func(in *inputs) { in.useWorkers(2) })
	b.wantDone()
	if o := b.Inputs.options; o.Workers != 2 || o.GMs != 2 {
		t.Errorf("%d workers, %d GMs", o.Workers, o.GMs)
	}
	b.do(func(in *inputs) { in.sources[federatekind.MachinesSlot] = exampleMachines(2) })
	b.wantDone()
	if got := b.result.report().Workload.Workers; got != 3 {
		t.Errorf("%d workers of the example, want 3", got)
	}
}
