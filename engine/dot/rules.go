package dot

import (
	"errors"
	"fmt"

	"berth/engine/diag"
	"berth/engine/graph"
	"berth/engine/rule"
	"berth/engine/show"
)

// rulesOf returns the rules of the graph, followed by the rules of its jobs.
func (b *builder) rulesOf(d *graph.Deployment) []rule.Rule {
	var all []rule.Rule
	for _, a := range b.rules {
		rules := b.parseRules(nil, a.value, a.valueAt)
		for _, r := range rules {
			for _, s := range r.Jobs {
				if len(d.Chosen([]rule.Selector{s})) == 0 {
					b.add(diag.Error, int(a.valueAt), nil, rulesKey, ruleOfNone, r, s)
				}
			}
		}
		all = append(all, rules...)
	}
	for i := range b.declared {
		e := b.nodeElement(int32(i))
		for _, w := range b.declared[i].words {
			if w.key != ruleKey {
				continue
			}
			for _, r := range b.parseRules(e, w.value, w.at) {
				r.Jobs = append([]rule.Selector{{Value: e.ids[0]}}, r.Jobs...)
				all = append(all, r)
			}
		}
	}
	return all
}

func (b *builder) parseRules(e fmt.Stringer, text string, at int32) []rule.Rule {
	rules, err := rule.Parse(text)
	if wrong, ok := errors.AsType[*rule.Error](err); ok {
		b.add(diag.Error, int(at), e, ruleKey, badRule, show.Quote(text), wrong.Offset+1, wrong)
	}
	return rules
}
