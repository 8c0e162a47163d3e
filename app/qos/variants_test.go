//go:build !js

package qos

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/qos/qoskind"
)

// smallQoS opens a view with three requests on two hosts.
func smallQoS(t *testing.T) *bench {
	b := open(t)
	b.choose(qoskind.HostsSlot, "two.csv", twoHosts)
	b.choose(qoskind.WorkloadSlot, "few.csv", fewAsk)
	return b
}

// setVariant types a text into a field of a variant.
func (b *bench) setVariant(i int, key, text string) {
	b.t.Helper()
	policy, switches, savings := variantColumns(&b.Inputs.options.Policies[i])
	for _, c := range slices.Concat(policy, switches, savings) {
		if c.Key == key {
			b.Form.SetOption(b.fields.variantRows().ID(i, key), key, text, b.fields.variantRows().Setter(i, &c))
			return
		}
	}
	b.t.Fatalf("the variant has no field %s", key)
}

func TestVariantsAreAddedEditedDuplicatedAndRemoved(t *testing.T) {
	b := smallQoS(t)
	b.fields.addVariant()
	at := b.fields.openVariant
	b.wantDone()
	if got, want := b.Inputs.policyNames(), "qos, priority, qos optimised"; got != want {
		t.Fatalf("the policies are %s, want %s", got, want)
	}
	if got := b.fields.operations(&b.Inputs.options.Policies[at]); !strings.HasSuffix(got, " operations") || got[0] == '0' {
		t.Errorf("beside the variant: %q", got)
	}
	b.fields.duplicateVariant(at)
	if got := b.Inputs.options.Policies[3].Title(); got != "qos (2)" || b.fields.openVariant != 3 {
		t.Errorf("the copy is called %q, the open one is %d", got, b.fields.openVariant)
	}
	before := b.Inputs.options.Policies[2]
	for _, c := range [][2]string{{"policy", "priority"}, {"label", " cached "}, {"relaxed", ""}, {"pruning", "safe"}, {"scheduler", "literal"}, {"caching", "true"}} {
		b.setVariant(3, c[0], c[1])
	}
	b.wantDone()
	want := qoskind.PolicyRun{Name: "priority", Label: "cached", Scheduler: "literal", Savings: &qoskind.Savings{
		ScoreCaching: true, EquivalenceClass: true, Pruning: "safe",
	}}
	if got := b.Inputs.options.Policies[3]; !reflect.DeepEqual(got, want) {
		t.Errorf("the variant is %+v", got)
	}
	if got := b.Inputs.options.Policies[2]; !reflect.DeepEqual(got, before) {
		t.Errorf("the one it was copied from became %+v", got)
	}
	b.row("cached", "all")
	b.setVariant(3, "policy", "qos")
	if got := b.Inputs.options.Policies[3].Savings.CacheValidity; got != validity {
		t.Errorf("scores that go by Q are valid for %v s", got)
	}
	b.fields.removeVariant(2)
	b.settle()
	if got, want := b.Inputs.policyNames(), "qos, priority, cached"; got != want {
		t.Errorf("the policies are %s, want %s", got, want)
	}
	b.GoBack()
	b.wantDone()
	if got := len(b.result.policies()); got != 4 {
		t.Errorf("%d policies after an undo", got)
	}
}

func TestVariantsRefuseWhatIsOutOfRange(t *testing.T) {
	b := smallQoS(t)
	b.fields.addVariant()
	b.setVariant(2, "policy", "hybrid")
	b.setVariant(2, "caching", "true")
	for _, c := range []struct{ text, key, want string }{
		{"101", "relaxed", "number from 0 to 100"}, {"-1", "validity", "number from 0.001"}, {"x", "tolerance", "number from 0.001"},
		{"0", "limit", "expected 1 to"}, {strings.Repeat("x", 81), "label", "81 characters, at most 80"},
	} {
		b.setVariant(2, c.key, c.text)
		if got := b.Form.Wrong(variantFields + "2-" + c.key); !strings.Contains(got, c.want) {
			t.Errorf("%q: %q, want it to say %q", c.text, got, c.want)
		}
	}
	if got := b.Inputs.options.Policies[2].Savings.Relaxed; got != 0.05 {
		t.Errorf("the part of the hosts is %v", got)
	}
}

// Another scheduler for a policy leaves variants unchanged, and no two runs have the same name or
// the same look.
func TestVariantsAreToldApart(t *testing.T) {
	b := smallQoS(t)
	b.fields.addVariant()
	for _, c := range [][2]string{{"label", ""}, {"equivalence", "false"}, {"relaxed", ""}, {"pruning", "none"}, {"scheduler", qoskind.Literal}} {
		b.setVariant(2, c[0], c[1])
	}
	b.Edit("change", func(in *inputs) { in.setScheduler("hybrid", qoskind.Fast) })
	b.fields.addVariant()
	for _, c := range [][2]string{{"policy", "hybrid"}, {"limit", "7"}, {"relaxed", ""}, {"label", ""}} {
		b.setVariant(4, c[0], c[1])
	}
	if got, want := b.Inputs.policyNames(), "qos, priority, hybrid(100), qos literal, hybrid(7) with equivalence class, printed pruning"; got != want {
		t.Fatalf("the policies are %s, want %s", got, want)
	}
	b.Edit("change", func(in *inputs) { in.setScheduler("qos", both) })
	if err := (func(in *inputs) error { return in.setParameter("hybrid", parametersOf("hybrid")[0], "5") })(b.Inputs); err != nil {
		t.Fatal(err)
	}
	b.wantDone()
	if got, want := b.Inputs.policyNames(), "qos, qos literal, priority, hybrid(5), qos (2), hybrid(7) with equivalence class, printed pruning"; got != want {
		t.Fatalf("the policies are %s, want %s", got, want)
	}
	looks := map[string]bool{}
	for _, style := range b.result.styles() {
		looks[string(style)] = true
	}
	if len(looks) != 6 {
		t.Errorf("six runs look like %v", b.result.styles())
	}
}

// A second hybrid policy in a document has a separate row.
func TestASecondHybridIsAVariant(t *testing.T) {
	in := emptyInputs()
	in.options.Policies = []qoskind.PolicyRun{{Name: "hybrid", HybridLimit: 50}, {Name: "hybrid", HybridLimit: 7}, {Name: "hybrid", Label: "mine"}}
	plain, variants := in.apartFromVariants()
	if len(plain) != 1 || plain[0].HybridLimit != 50 || len(variants) != 2 {
		t.Errorf("plain %+v, variants %+v", plain, variants)
	}
}

func TestPercentText(t *testing.T) {
	for part, want := range map[float64]string{0: "", 0.05: "5", 0.07: "7", 1: "100", 1.0 / 3: "33.3333333333"} {
		if got := percentText(part); got != want {
			t.Errorf("%v is %q, want %q", part, got, want)
		}
	}
}

// Decisions that optimisations affect are shown, with a calm note that they are not explained.
// Optimisations that change no decision have no effect on the page.
func TestDecisionsWithOptimisations(t *testing.T) {
	b := smallQoS(t)
	b.fields.addVariant()
	b.wantDone()
	b.why.chooseFollowed(2)
	b.followedExplanation()
	b.why.stepDecision(+1)
	b.settle()
	if w := b.why.explained(); w.Problem != "" || w.Answer != nil || b.why.decision != 1 {
		t.Errorf("problem %q, explanation %v, decision %d", w.Problem, w.Answer, b.why.decision)
	}
	if got := b.why.inexactText(); !b.why.inexact() || !strings.Contains(got, "under qos optimised: request 2 (silver) goes to ") || !strings.Contains(got, "without optimisations") {
		t.Errorf("it says %q", got)
	}
	b.setVariant(2, "relaxed", "")
	b.setVariant(2, "pruning", "safe")
	b.wantDone()
	if b.followedExplanation() == nil {
		t.Errorf("not explained though no decision changes: %q", b.why.explained().Problem)
	}
}

func TestAVariantIsCalledByItsOptionsUntilItIsNamed(t *testing.T) {
	b := smallQoS(t)
	b.fields.addVariant()
	for _, c := range []struct{ name, text, want string }{
		{"relaxed", "", "qos with equivalence class, printed pruning"},
		{"pruning", "none", "qos with equivalence class"},
		{"equivalence", "false", "qos (2)"},
		{"scheduler", qoskind.Literal, "qos literal"},
		{"scheduler", qoskind.Fast, "qos (2)"},
		{"policy", "hybrid", "hybrid(100)"},
		{"limit", "7", "hybrid(7)"},
		{"label", "mine", "mine"},
		{"limit", "8", "mine"},
		{"label", "", "hybrid(8)"},
	} {
		b.setVariant(2, c.name, c.text)
		if got := b.Inputs.options.Policies[2].Title(); got != c.want {
			t.Errorf("after %s = %q it is called %q, want %q", c.name, c.text, got, c.want)
		}
	}
	b.fields.addVariant()
	b.setVariant(3, "pruning", "safe")
	b.setVariant(3, "pruning", "printed")
	if got := b.Inputs.options.Policies[3].Title(); got != "qos optimised" {
		t.Errorf("with the usual options it is called %q", got)
	}
}
