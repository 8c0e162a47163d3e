//go:build !js

package placement

import (
	"slices"
	"strings"
	"testing"

	"berth/app/lab"
	"berth/engine/show"
)

// Changes are added, combined, removed, undone and written to the document. Their effects are shown
// next to the placement after them.
func TestWhatIf(t *testing.T) {
	b := place(t, lab.TextSource("d.dot", twoJobs))
	if got := b.cells(); got != "a→eu b→us" {
		t.Fatalf("placed %q", got)
	}
	if got := b.clusters(); !slices.Equal(got, []string{"eu", "us"}) {
		t.Fatalf("the clusters to choose from are %q", got)
	}
	b.whatIf.addWhatIf() // initial texts of the controls
	b.wantDone()
	if got := b.cells(); got != "a→us b→us" {
		t.Errorf("placed %q when eu fails", got)
	}
	x := b.whatIf.shownReport().WhatIf
	if x == nil || len(b.picture.moves) != 1 || b.picture.moves[0].Cells[0].Text != "a" || b.picture.moves[0].Cells[2].Text != "us" {
		t.Fatalf("the difference is %+v, the moves are %v", x, b.picture.moves)
	}
	if got := b.picture.left[0].Cells[1].Text; got != "gone" {
		t.Errorf("of eu is left %q", got)
	}
	if got := b.picture.left[1].Cells[1].Text; !strings.Contains(got, " → ") {
		t.Errorf("of us is left %q, without what was before", got)
	}
	if got := b.uploads.checks[b.Inputs.files[0]].sizes[0].Nodes; got != 2 {
		t.Errorf("the file of two clusters is said to have %d", got)
	}
	if got := differenceText(x); !strings.Contains(got, show.Money(x.Before.Total)+" → "+show.Money(x.After.Total)) || !strings.Contains(got, "1 move") {
		t.Errorf("the difference reads %q", got)
	}
	if got := b.clusters(); !slices.Equal(got, []string{"eu", "us"}) {
		t.Errorf("the clusters to choose from are %q once one failed", got)
	}

	b.whatIf.asking = asking{name: "scale", of: "b", n: "9"}
	b.whatIf.addWhatIf()
	b.Edit("keep", func(in *inputs) { in.options.Keep = true })
	b.wantDone()
	if got := b.Inputs.options.WhatIf; !slices.Equal(got, []string{"fail eu", "scale b 9"}) {
		t.Errorf("asked is %q", got)
	}
	if got := differenceText(b.whatIf.shownReport().WhatIf); !strings.Contains(got, "the fewest that were found") || !strings.Contains(got, "1 deployment not placed") {
		t.Errorf("the difference reads %q", got)
	}
	if in := inputsOf(new(b.Inputs.scenario())); !in.options.Keep || len(in.options.WhatIf) != 2 {
		t.Errorf("a link or a draft has %q, few moves: %v", in.options.WhatIf, in.options.Keep)
	}

	b.whatIf.removeWhatIf(0)
	b.whatIf.removeWhatIf(0)
	b.wantDone()
	if b.whatIf.shownReport().WhatIf != nil || b.Inputs.options.WhatIf != nil || b.Inputs.options.Keep || b.cells() != "a→eu b→us" {
		t.Errorf("with nothing asked: %+v, placed %q", b.Inputs.options, b.cells())
	}
	b.GoBack()
	b.settle()
	if got := b.Inputs.options.WhatIf; !slices.Equal(got, []string{"scale b 9"}) || !b.Inputs.options.Keep {
		t.Errorf("after undo %q is asked", got)
	}
}

// An impossible change is refused next to the controls, either by them or by the engine.
func TestAWhatIfIsRefused(t *testing.T) {
	b := place(t, lab.TextSource("d.dot", oneJob))
	for _, c := range []struct {
		ask  asking
		want string
	}{
		{asking{name: "drain"}, "enter the name of a node"},
		{asking{name: "price", of: "eu", n: "much"}, "enter a number"},
		{asking{name: "scale", of: "solo", n: "1.5"}, "enter a whole number"},
	} {
		b.whatIf.asking = c.ask
		b.whatIf.addWhatIf()
		if got := b.Form.Wrong(whatIfID); !strings.Contains(got, c.want) || len(b.Inputs.options.WhatIf) != 0 {
			t.Errorf("%+v: %q, and %q is asked", c.ask, got, b.Inputs.options.WhatIf)
		}
	}
	b.whatIf.asking = asking{name: "drain", of: "node one"}
	b.whatIf.addWhatIf()
	b.settle()
	if got := b.Form.Wrong(whatIfID); b.Phase != lab.Failed || !strings.Contains(got, `"drain \"node one\""`) || !strings.Contains(got, "the federation has no nodes") {
		t.Errorf("%s: %q", b.Phase, got)
	}
	b.whatIf.removeWhatIf(0)
	b.wantDone()
	if got := b.Form.Wrong(whatIfID); got != "" {
		t.Errorf("still wrong: %q", got)
	}
}

// Added nodes get new names.
func TestAddedNodesAreTold(t *testing.T) {
	b := open(t)
	b.whatIf.asking = asking{name: "add", of: "n1", n: "3"}
	b.whatIf.addWhatIf()
	b.whatIf.addWhatIf()
	b.whatIf.asking = asking{name: "latency"}
	b.whatIf.addWhatIf()
	if got, want := b.Inputs.options.WhatIf, []string{"add added-1 ×3 like n1", "add added-2 ×3 like n1", "latency ×1.1"}; !slices.Equal(got, want) {
		t.Errorf("asked is %q, want %q", got, want)
	}
	b.whatIf.removeWhatIf(0)
	if b.Inputs.newNode() != "added-1" {
		t.Errorf("the next node is %s", b.Inputs.newNode())
	}
}
