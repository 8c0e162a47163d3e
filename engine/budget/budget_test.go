package budget_test

import (
	"strings"
	"testing"

	"berth/engine/budget"
	"berth/engine/must"
)

func TestWhatIsBeyondABudget(t *testing.T) {
	few := func(q budget.Quantity, n int64) (l budget.Limits) {
		l.Most[q] = n
		return l
	}
	for name, test := range map[string]struct {
		limits budget.Limits
		take   func(b *budget.Budget) error
		want   string
	}{
		"at the limit": {few(budget.Aliases, 10), func(b *budget.Budget) error { return b.Take(budget.Aliases, 10) }, ""},
		"in two parts": {few(budget.Aliases, 10), func(b *budget.Budget) error {
			b.Take(budget.Aliases, 10)
			return b.Take(budget.Aliases, 1)
		}, "more than 10 values that aliases stand for together"},
		"given back": {few(budget.Values, 10), func(b *budget.Budget) error {
			b.Take(budget.Values, 10)
			b.Return(budget.Values, 5)
			return b.Take(budget.Values, 5)
		}, ""},
		"memory": {budget.Limits{Memory: 1000}, func(b *budget.Budget) error { return b.Take(budget.Nodes, 3) }, "more than 0.000001 GB of memory"},
		"growth": {budget.Limits{}, func(b *budget.Budget) error {
			b.Take(budget.Bytes, 1000)
			return b.Take(budget.Nodes, 400_000)
		}, "grow from 1000 bytes to more than 128 MB in memory, with 400000 jobs and clusters"},
		"a long text": {budget.Limits{}, func(b *budget.Budget) error {
			b.Take(budget.Bytes, 10_000_000)
			return b.Take(budget.Nodes, 400_000)
		}, ""},
		"a recipe":   {budget.Limits{}, func(b *budget.Budget) error { return b.Generate(budget.Nodes, 1_000_000) }, ""},
		"depth":      {budget.Limits{Depth: 3}, func(b *budget.Budget) error { return b.Deeper(4, "lists") }, "lists are nested more than 3 deep"},
		"not so far": {budget.Limits{Depth: 3}, func(b *budget.Budget) error { return b.Deeper(3, "lists") }, ""},
	} {
		b := budget.New(test.limits)
		err := test.take(b)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
		if b.Refused() != (err != nil) {
			t.Errorf("%s: refused %v", name, b.Refused())
		}
	}
}

// Another load can take over the consumption of a part without reading the part again.
func TestPartsAreTakenOver(t *testing.T) {
	var l budget.Limits
	l.Most[budget.Edges] = 10
	first := budget.New(l)
	before := *first
	must.Do(t, first.Take(budget.Edges, 6))
	second, part := budget.New(l), first.Since(before)
	if err := second.Add(part); err != nil || second.Room(budget.Edges) != 4 {
		t.Errorf("%v, and %d are left", err, second.Room(budget.Edges))
	}
	if err := second.Add(part); err == nil {
		t.Error("twice as much is within the budget")
	}
}

func TestALoadOfItsOwn(t *testing.T) {
	var none *budget.Budget
	if err := none.Or().Take(budget.Bytes, 1); err != nil {
		t.Error(err)
	}
	if b := budget.New(budget.Limits{}); b.Or() != b {
		t.Error("a budget is replaced by another")
	}
}
