package qoskind

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"text/tabwriter"

	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/show"
)

// paired compares two policies of a report request by request. It computes the comparison on
// demand, from the results of runs in this process.
type paired struct {
	policies [2]int // indexes in the report; the second is the baseline, if any
	pair     func() *Pair
}

// newPaired pairs a baseline with the first other policy or, without a baseline, the first two
// policies. Both reports then offer the fairness of figure 9. It returns nil for a single result.
func newPaired(r *Report, results []*qos.Result) *paired {
	if len(results) < 2 {
		return nil
	}
	priority := slices.IndexFunc(r.Policies, func(p PolicyReport) bool { return qos.IsBaseline(p.Name) })
	q := PairQuery{Classes: r.Classes}
	p := &paired{policies: [2]int{0, 1}}
	switch {
	case priority == 0:
		p.policies = [2]int{1, 0}
		q.Priority = 2
	case priority > 0:
		p.policies = [2]int{0, priority}
		q.Priority = 2
	}
	a, b := results[p.policies[0]], results[p.policies[1]]
	p.pair = sync.OnceValue(func() *Pair { return compare(a, b, q) })
	for side, policy := range p.policies {
		r.Policies[policy].fairness = func() []qos.LevelFairness { return p.pair().Fairness[side] }
	}
	return p
}

// fairness returns the figures of figure 9, by level of contention and class.
func fairness() (all []figure.Figure) {
	for _, level := range []qos.Level{qos.LowContention, qos.MediumContention, qos.HighContention} {
		for _, class := range qos.GoogleClasses(0) {
			add := func(name, title string, form figure.Form, better figure.Better, value func(*qos.LevelFairness) figure.Number) {
				f := figure.Figure{Name: fmt.Sprintf("%s.%s.%s", name, level, class.Name), Title: fmt.Sprintf("%s at %s contention, %s", title, level, class.Name), Form: form, Better: better, OfRun: true}
				all = append(all, figure.Of(f, func(p *PolicyReport) figure.Number {
					if p.fairness == nil {
						return figure.Undefined
					}
					all := p.fairness()
					i := slices.IndexFunc(all, func(f qos.LevelFairness) bool { return f.Level == level.String() && f.Class == class.Name })
					if i < 0 {
						return figure.Undefined
					}
					return value(&all[i])
				}))
			}
			add("least", "Least availability in an interval", figure.Part, figure.More, func(f *qos.LevelFairness) figure.Number { return f.Min.Mean })
			add("fulfilment", "SLOs that are kept in an interval", figure.Part, figure.More, func(f *qos.LevelFairness) figure.Number { return f.Fulfilment.Mean })
			add("inequality", "Gini coefficient in an interval", figure.Plain, figure.Less, func(f *qos.LevelFairness) figure.Number { return f.Unfairness.Mean })
		}
	}
	return all
}

// writeText writes the quadrants of the heat maps (figure 6) and the fairness by level of
// contention (figure 9).
func (p *paired) writeText(w io.Writer, r *Report) {
	pair := p.pair()
	var titles [2]string
	for i, policy := range p.policies {
		titles[i] = show.Text(r.Policies[policy].Title)
	}
	fmt.Fprintf(w, "\nparts of the requests whose SLO was kept by\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "class\tboth\t%s alone\t%s alone\tneither\t\n", titles[0], titles[1])
	for _, c := range append(slices.Clone(pair.Classes), pair.All) {
		q := &c.Quadrants
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", show.Text(c.Name), show.Percent(q.Both), show.Percent(q.First), show.Percent(q.Second), show.Percent(q.Neither))
	}
	t.Flush()
	if len(pair.Fairness[0]) == 0 {
		return // no intervals were recorded, or neither policy is a baseline
	}
	fmt.Fprint(w, "\nintervals by contention:")
	for i, l := range pair.Levels {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprintf(w, " %d %s", l.Intervals, l.Level)
	}
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "contention\tclass\tpolicy\tleast availability\tSLOs kept\tGini\t\n")
	for i := range max(len(pair.Fairness[0]), len(pair.Fairness[1])) {
		for side, title := range titles {
			if i < len(pair.Fairness[side]) {
				f := &pair.Fairness[side][i]
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", f.Level, show.Text(f.Class), title, f.Min.In(figure.Part), f.Fulfilment.In(figure.Part), f.Unfairness)
			}
		}
	}
	t.Flush()
}
