//go:build !js

package qos

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab/labtest"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/qos/qostest/roundrobin"
)

func init() {
	compared := qos.Plugin{Name: "compared", Title: "compared", Description: "what others are compared with", Parameters: roundrobin.Plugin.Parameters, Facts: qos.Facts{Baseline: true}, New: roundrobin.Plugin.New}
	for _, p := range []qos.Plugin{roundrobin.Plugin, compared} {
		if err := qos.Register(p); err != nil {
			panic(err)
		}
	}
}

// A policy of another package can declare that it is the baseline.
func TestAPolicyFromOutsideIsTheBaseline(t *testing.T) {
	for want, names := range map[int][]string{
		1: {"qos", "compared", "round-robin"}, 0: {"priority", "qos", "compared"}, 2: {"qos", "hybrid", "round-robin"},
	} {
		var policies []*qoskind.PolicyReport
		for _, name := range names {
			policies = append(policies, &qoskind.PolicyReport{Name: name})
		}
		if got := baseline(policies); got != want {
			t.Errorf("of %q the baseline is %s, want %s", names, names[got], names[want])
		}
	}
	b := open(t)
	b.Edit("choose them", func(in *inputs) {
		in.setScheduler("priority", "")
		in.setScheduler("compared", qoskind.Fast)
	})
	b.wantDone()
	if got := b.settledPairs(); len(got) != 1 || got[0].x.policy.Name != "compared" || got[0].Answer.Pair == nil || len(got[0].Answer.Levels) == 0 {
		t.Errorf("its pairs are %+v", got)
	}
}

// settledPairs waits for the pairs and returns them.
func (b *bench) settledPairs() []*pairing {
	b.charts.pairs()
	b.settle()
	return b.charts.pairs()
}

// A policy of another package has a row, a field for its parameter and a colour, and its decisions
// are explained in its own words.
func TestAPolicyFromOutsideIsOnThePage(t *testing.T) {
	b := open(t)
	b.Edit("choose it", func(in *inputs) { in.setScheduler("round-robin", qoskind.Fast) })
	b.Form.SetOption("qos-round-robin-quantum", "quantum", "90", func(in *inputs, text string) error {
		return in.setParameter("round-robin", parametersOf("round-robin")[0], text)
	})
	b.wantDone()
	fields := app.HTMLString(b.fields.policyFields())
	labtest.Has(t, fields, "round robin", `id="qos-policy-round-robin"`, `id="qos-round-robin-quantum"`, "quantum (s)", roundrobin.Plugin.Description, `value="90"`)
	if got, want := b.Inputs.policyNames(), "qos, priority, round-robin(90)"; got != want {
		t.Fatalf("the policies are %s, want %s", got, want)
	}
	if got, want := b.result.styles()["round-robin(90)"], chart.StyleAt(slices.Index(qos.Names(), "round-robin")); got != want {
		t.Errorf("it looks like %s, want %s", got, want)
	}
	labtest.Has(t, app.HTMLString(b.charts.comparePane()), "quanta that ended", "round-robin: some ran for longer than their quantum")
	b.why.chooseFollowed(2)
	w := b.followedExplanation()
	if w == nil {
		t.Fatalf("nothing is explained: %s", b.why.explained().Problem)
	}
	pane := app.HTMLString(b.why.whyPane())
	labtest.Has(t, pane, "under round-robin", "victims (negative)", "run time (s)")
	for i := range w.order {
		w.list(i)
		for _, r := range w.residents {
			if verdict := r.Cells[4].Text; strings.Contains(verdict, "of its quantum of 90 s") {
				return
			}
		}
	}
	t.Error("no one is kept by the quantum")
}
