//go:build !js

package federate

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/show"
	"berth/examples"
)

// In every state the foot shows the text of the headline, and the headline agrees with the table.
func TestHeadlineFootAndTableAgree(t *testing.T) {
	b := open(t)
	for _, e := range examples.List() {
		d := federatekind.Of(e.Scenario)
		if d == nil || len(d.Sweep) > 0 || d.Workers > federatekind.MaxPlayedWorkers { // the other examples take seconds
			continue
		}
		b.Edit("open "+e.Name, func(in *inputs) { *in = *inputsOf(&e.Scenario) })
		b.agrees(e.Name+", changed", lab.Idle)
		b.Runs.Run()
		b.wantDone()
		b.agrees(e.Name, lab.Done)
		b.Change("change the seed", func(in *inputs) { in.options.Seed++ })
		b.Runs.Run()
		b.agrees(e.Name+", running", lab.Running)
		b.Runs.Cancel()
		b.settle()
		b.agrees(e.Name+", stopped", b.Phase)
		b.Change("break it", func(in *inputs) { in.sources[federatekind.TraceSlot] = lab.TextSource("broken.tr", "0 2 x\n") })
		b.Runs.Run()
		b.settle()
		b.agrees(e.Name+", broken", lab.Failed)
	}
}

func (b *bench) agrees(state string, phase lab.Phase) {
	b.t.Helper()
	says := b.sentence()
	if status := app.HTMLString(b.resultStatus()); b.Phase != phase || b.Status().Message != says || !strings.Contains(status, show.Words(says)) {
		b.t.Errorf("%s: the phase is %q, want %q; the foot says %q, the headline %s", state, b.Phase, phase, b.Status().Message, status)
	}
	if b.Phase != lab.Done {
		if strings.Contains(says, " win") {
			b.t.Errorf("%s: it says %q", state, says)
		}
		return
	}
	said := says + " " + strings.Join(b.details(), " ")
	if n := utf8.RuneCountInString(says); n > show.MostHeadline || strings.Contains(said, "…") {
		b.t.Errorf("%s: %d characters: %s", state, n, said)
	}
	if b.result.Partial() {
		if strings.Contains(says, " win") || strings.Contains(says, " tie") {
			b.t.Errorf("%s: there is a verdict before all has run: %s", state, says)
		}
		return
	}
	// According to the table, the slowest tasks of every scheduler waited at least as long as the
	// winner's.
	all := b.result.report().Schedulers
	winner, _, _ := strings.Cut(says, " win")
	for i, row := range b.charts.resultRows(all) {
		plugin, _ := federate.Lookup(all[i].Name)
		if row.Cells[0].Text != all[i].Name || !strings.Contains(said, plugin.Title) {
			b.t.Errorf("%s: row %d of the table is of %s, and it says %s", state, i, row.Cells[0].Text, said)
		}
		if first := slices.IndexFunc(all, func(s federatekind.SchedulerReport) bool { p, _ := federate.Lookup(s.Name); return p.Title == winner }); !plugin.Facts.Unbounded && (first < 0 || all[i].Tail.From < all[first].Tail.From) {
			b.t.Errorf("%s: the slowest waited %v s under %s, and it says %s", state, all[i].Tail.From, all[i].Name, says)
		}
	}
}
