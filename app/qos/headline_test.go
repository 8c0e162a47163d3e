//go:build !js

package qos

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
	"berth/examples"
)

// In every state the foot shows the text of the headline, and the headline agrees with the table.
func TestHeadlineFootAndTableAgree(t *testing.T) {
	b := open(t)
	for _, e := range examples.List() {
		if e.Scenario.Kind != qoskind.Name || e.Name == "google-day" { // its run takes seconds
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
		b.choose(qoskind.HostsSlot, "broken.csv", "name,cpu,memory\nh,none,1\n")
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
		if strings.Contains(says, "SLO") {
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
	for _, p := range b.result.policies() {
		met := p.Run.All.Fulfilled
		b.wantFigure(p.Title, "all", "fulfilled", float64(met), float64(met))
		if !strings.Contains(said, p.Spoken()) || !strings.Contains(said, show.Group(fmt.Sprint(met))) {
			b.t.Errorf("%s: the table has %d fulfilled under %s, and it says %s", state, met, p.Title, said)
		}
	}
}
