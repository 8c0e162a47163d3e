//go:build !js

package placement

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/engine/policy"
)

// A policy written as text is chosen, compared and explained like any other. Its errors have lines,
// and a policy from a link has few steps.
func TestAPolicyOfOnesOwn(t *testing.T) {
	b := open(t)
	b.choose(federation, lab.TextSource("f.dot", `graph { a [cpu=4, cpu_cost=5]; b [cpu=4, cpu_cost=1] }`))
	b.choose(deployments, lab.TextSource("d.dot", `graph { x [request=1, limit=1] }`))
	b.settle()
	write := func(text string) {
		t.Helper()
		b.Edit("write", func(in *inputs) { in.PutText("mine", &policy.Text{Name: "mine", Text: text}) })
		b.settle()
	}
	b.Edit("write", func(in *inputs) {
		in.PutText("", &policy.Text{Name: "mine", Text: "def score(job, cluster):\n    return -cluster.cost"})
	})
	b.wantDone()
	if got := b.Inputs.strategy(); got != "mine" || b.result.report(0).Strategy != "mine" {
		t.Fatalf("%s leads", got)
	}
	html := app.HTMLString(b.uploads.inputPane())
	labtest.Has(t, html, `data-testid="policy-editor"`, `data-testid="policy-difference"`, "x: on a under mine, on b under heuristic", "policy-standing")
	write("def score(job, cluster):\n    return cluster.colour")
	if html := app.HTMLString(b.uploads.inputPane()); !strings.Contains(html, "policy-errors") || !strings.Contains(html, `>2:`) {
		t.Error("an error has no line")
	}
}
