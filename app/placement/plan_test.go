//go:build !js

package placement

import (
	"strings"
	"testing"

	"berth/app/lab"
	"berth/engine/placement/placementkind"
)

// If a deployment does not fit beside preemptible jobs, the page shows the moves that would make
// room, and moves nothing.
func TestAPlanIsTold(t *testing.T) {
	b := open(t)
	b.choose(federation, lab.TextSource("f.dot", `graph { large [cpu=100, cpu_cost=1]; small [cpu=50, cpu_cost=2]; large -- small [latency=10, latency_cost=1] }`))
	b.choose(deployments, lab.TextSource("one.dot", `graph { a [request=50, limit=50, preemption=1] }`), lab.TextSource("two.dot", `graph { b [request=90, limit=90] }`))
	b.wantDone()
	s := b.result.report(0)
	if got := b.cells(); got != "a→large" || s.Deployments[1].Plan == nil {
		t.Fatalf("placed %q, the plan is %+v", got, s.Deployments[1].Plan)
	}
	if got, want := planText(&s.Deployments[1]), "two.dot would fit for 90 if 1 preemptible job moved, at a cost of 50. Nothing was moved."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var rows []string
	for _, r := range planRows(&s.Deployments[1]) {
		rows = append(rows, r.Cells[0].Text+": "+r.Cells[1].Text+" → "+r.Cells[2].Text)
	}
	if got, want := strings.Join(rows, ", "), "a: large → small, b: – → large"; got != want {
		t.Errorf("the table has %q, want %q", got, want)
	}
}

// The first deployment takes the cheap cluster from the second, which would save more there. Placed
// at once they cost less, and the bound is for both.
func TestDeploymentsArePlacedAtOnce(t *testing.T) {
	b := open(t)
	b.choose(federation, lab.TextSource("f.dot", `graph { cheap [cpu=10, cpu_cost=1]; dear [cpu=10, cpu_cost=3]; cheap -- dear [latency=1, latency_cost=0] }`))
	b.choose(deployments, lab.TextSource("one.dot", `graph { a [request=2, limit=2] }`), lab.TextSource("two.dot", `graph { b [request=9, limit=9] }`))
	b.Edit("keep", func(in *inputs) { in.options.WhatIf, in.options.Keep = []string{"scale a 1"}, true })
	b.Edit("at once", func(in *inputs) {
		in.options.WhatIf = nil
		_ = b.forms.setSwitch(placementkind.ParameterNamed("joint"))(in, "true")
	})
	b.settle()
	if got := b.why.candidatesCaption(); !strings.Contains(got, "placed at once, so the strategy chose by all their jobs, not by this row") {
		t.Errorf("the row of the heuristic is called %q", got)
	}
	b.searches.improve()
	b.wantDone()
	s, r := b.result.report(0), b.result.body()
	if got := b.cells(); s.Strategy != "exact" || got != "a→dear b→cheap" {
		t.Errorf("%s placed %q", s.Strategy, got)
	}
	certificates := tallied(placementkind.OfCertificate)
	for what, got := range map[string][2]string{
		"in this order": {inOrderOf(s, r), "29"}, "order costs": {ordered[1].of(s, r), "14"},
		"lower bound": {measured(certificates, "lower bound", s, r), "15"}, "gap": {measured(certificates, "optimality gap", s, r), "0\u202f%"}, "proved": {measured(certificates, "proved", s, r), "optimal"},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %q, want %q", what, got[0], got[1])
		}
	}
	if text := b.searches.saved(); !strings.Contains(text, "Proved optimal") || strings.Contains(text, "left") {
		t.Errorf("the headline is %q", text)
	}
	if b.Inputs.options.Keep {
		t.Error("keep is on")
	}
}
