package e2e

import (
	"fmt"
	"testing"

	"berth/engine/placement/placementkind"
)

// A cluster fails: the page says what moves and what that costs, and without the
// change all is as it was.
func TestAClusterFails(t *testing.T) {
	t.Parallel()
	p := openExample(t)
	p.waitFor(compared)
	before := example(t, "shop")
	const failing = "eu-west"
	p.click(testID("what-if") + " summary")
	p.wait(testID("what-if") + " option[value=" + failing + "]")
	p.pick(testID("what-if-of"), failing)
	p.click(testID("what-if-add"))
	after := example(t, "shop")
	placementkind.Of(after).WhatIf = []string{"fail " + failing}
	x := placementkind.ReportOf(p.wantResult(after)).Strategies[0].WhatIf
	p.waitForText(testID("what-if-diff"), fmt.Sprintf("cost %s → %s", placementkind.Money(*x.Before.Total), placementkind.Money(*x.After.Total)))
	p.waitForText(testID("what-if-left"), "gone")
	if got, want := p.count(testID("what-if-moves")+" tbody tr"), len(x.Deployments[0].Moves); got != want || want == 0 {
		t.Errorf("%d moves are listed, want %d", got, want)
	}
	p.screenshot("what-if")
	p.accessible("what if")
	p.click(testID("what-if-chip") + " button")
	p.wantResult(before)
	p.waitFor(fmt.Sprintf(`!document.querySelector(%q)`, testID("what-if-diff")))
	p.pick(testID("what-if-kind"), "drain")
	p.fill("input"+testID("what-if-of"), "n1")
	p.click(testID("what-if-add"))
	p.waitForText(testID("what-if"), "no nodes are known")
}
