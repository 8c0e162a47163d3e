//go:build !js

package placement

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
)

const twoRegions = `graph { eu [cpu=220, cpu_cost=1, region=eu]; us [cpu=500, cpu_cost=2, region=us]; eu -- us [latency=10, latency_cost=3] }`

// Rules are typed with completion, an error in a rule has a position, and the placement follows the
// rules. A refusal by the engine is shown at its row.
func TestRulesAreEdited(t *testing.T) {
	b := open(t)
	b.choose(deployments, lab.TextSource("d.dot", twoJobs))
	b.choose(federation, lab.TextSource("f.dot", twoRegions))
	if got, want := b.cells(), "a→eu b→eu"; got != want {
		t.Fatalf("placed %q, want %q", got, want)
	}
	rows := func() int { return strings.Count(app.HTMLString(b.forms.rulesTable()), `data-testid="rule-row"`) }
	if rows() != 0 {
		t.Errorf("%d rows without a rule", rows())
	}
	b.forms.addRule()
	if rows() != 1 || !slices.Contains(b.forms.ruling.completed, "apart") {
		t.Errorf("%d rows, completed by %q", rows(), b.forms.ruling.completed)
	}
	type_ := func(i int, text string) {
		b.Form.SetOption(ruleID(i), "rule", text, func(in *inputs, text string) error { return setRule(in, i, text) })
		b.settle()
	}
	b.forms.completeRule("apart a b by ")
	if want := []string{"apart a b by region", "apart a b by cluster"}; !slices.Equal(b.forms.ruling.completed, want) {
		t.Errorf("completed by %q, want %q", b.forms.ruling.completed, want)
	}
	b.forms.completeRule("b: only region=")
	if want := []string{"b: only region=eu", "b: only region=us"}; !slices.Equal(b.forms.ruling.completed, want) {
		t.Errorf("completed by %q, want %q", b.forms.ruling.completed, want)
	}
	type_(0, "apart a b by")
	if got, want := b.Form.Wrong(ruleID(0)), "Rule: at character 13: found the end, expected an attribute of clusters, such as region."; got != want {
		t.Errorf("a mistake is called %q, want %q", got, want)
	}
	type_(0, "apart a b by region")
	b.wantDone()
	if got, want := b.cells(), "a→eu b→us"; got != want {
		t.Errorf("placed %q, want %q", got, want)
	}
	type_(1, "ghost: only region=us")
	if got := b.Form.Wrong(ruleID(1)); !strings.Contains(got, "ghost") || b.Phase != lab.Failed {
		t.Errorf("phase %s, a job that is not there is called %q", b.Phase, got)
	}
	b.forms.removeRule(1)
	b.forms.removeRule(0)
	b.wantDone()
	if got, want := b.cells(), "a→eu b→eu"; got != want || b.Inputs.options.Rules != nil || rows() != 0 {
		t.Errorf("without rules %q is placed, want %q", got, want)
	}
}
