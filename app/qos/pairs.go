package qos

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/scenario/simulate"
	"berth/wasm/bridge"
)

// pairing compares a policy with the baseline, request by request: the baseline
// is the first of the pair, on the x axis.
type pairing struct {
	x, y    *run
	pair    *simulate.Pair       // nil until it is there
	counts  map[string][]float64 // of the heat maps, by class
	problem string
}

// askPairs compares every policy with the baseline.
func (v *View) askPairs(r *result) {
	var there []*run
	for _, one := range r.runs {
		if one.report() != nil {
			there = append(there, one)
		}
	}
	r.pairs = nil
	base := baseline(r.policies())
	for i, one := range there {
		if i != base {
			r.pairs = append(r.pairs, &pairing{x: there[base], y: one})
		}
	}
	for _, p := range r.pairs {
		v.askPair(r, p)
	}
}

func (v *View) askPair(r *result, p *pairing) {
	query := simulate.PairQuery{Classes: r.report.Classes}
	if p.x.policy.Name == qos.PriorityBased().Name {
		query.Priority = 1
	}
	var err error
	v.Later(func() {
		p.pair, err = v.Engine.Pair(v.Page, bridge.Side{Result: p.x.result}, bridge.Side{Result: p.y.result}, query)
	}, func() {
		if err != nil {
			p.pair, p.problem = nil, err.Error()
			return
		}
		p.counts = map[string][]float64{}
		for _, c := range p.classes() {
			p.counts[c.Name] = flat(c.Bins)
		}
		r.figures.fairness = fairnessFigures(r.pairs)
	})
}

func flat(bins [][]int) []float64 {
	var all []float64
	for _, row := range bins {
		for _, n := range row {
			all = append(all, float64(n))
		}
	}
	return all
}

// classes are those of the pair, and all of them together at the end.
func (p *pairing) classes() []simulate.PairOfClass {
	if p.pair == nil {
		return nil
	}
	return append(p.pair.Classes[:len(p.pair.Classes):len(p.pair.Classes)], p.pair.All)
}

// class finds a class of the pair, or the one whose requests fared the least
// alike.
func (p *pairing) class(name string) *simulate.PairOfClass {
	var found *simulate.PairOfClass
	all := p.classes()
	for i := range all {
		c := &all[i]
		if c.Name == name {
			return c
		}
		if c.SLO > 0 && (found == nil || c.Quadrants.Both < found.Quadrants.Both) {
			found = c
		}
	}
	return found
}

// pairing is the one that is shown.
func (r *result) pairing(shown int) *pairing {
	if len(r.pairs) == 0 {
		return nil
	}
	return r.pairs[min(shown, len(r.pairs)-1)]
}

// heatMap is figure 6 for a pair of policies and a class, both of which can be
// chosen.
func (v *View) heatMap() app.UI {
	p := v.result.pairing(v.paired)
	if p == nil || p.problem != "" {
		empty := "Two policies are needed to compare what each request got."
		if p != nil {
			empty = p.problem
		}
		return &chart.Paired{ID: "qos-heatmap", TestID: "qos-heatmap", Title: "Availability of each request under two policies", Empty: empty}
	}
	c := p.class(v.pairedClass)
	if c == nil {
		return &chart.Paired{ID: "qos-heatmap", TestID: "qos-heatmap", Title: "Availability of each request under two policies", Empty: "Comparing …"}
	}
	x, y := p.x.policy.Title(), p.y.policy.Title()
	q := c.Quadrants
	return app.Div().Class("paired").Body(
		v.pairedFields(p, c.Name),
		&chart.Paired{
			ID: "qos-heatmap", TestID: "qos-heatmap", Title: fmt.Sprintf("Availability of each request: %s", c.Name),
			XLabel: "availability under " + x, YLabel: "availability under " + y, XName: x, YName: y,
			Bins: len(c.Bins), Counts: p.counts[c.Name], Limit: c.SLO,
			Quadrants: chart.Quadrants{Both: q.Both, OnlyX: q.First, OnlyY: q.Second, Neither: q.Neither},
		},
		app.P().Class("note").Text(quadrantText(x, y, c)),
	)
}

// pairedFields choose the pair and the class of the heat map.
func (v *View) pairedFields(p *pairing, class string) app.UI {
	var classes, pairs []app.UI
	for _, c := range p.classes() {
		classes = append(classes, lab.Option(c.Name, c.Name, c.Name == class))
	}
	for i, other := range v.result.pairs {
		pairs = append(pairs, lab.Option(fmt.Sprint(i), other.y.policy.Title()+" against "+other.x.policy.Title(), other == p))
	}
	return app.Div().Class("row").Body(
		app.Select().Class("inline").Aria("label", "Class that is compared").OnChange(func(ctx app.Context, _ app.Event) {
			v.pairedClass = ctx.JSSrc().Get("value").String()
		}).Body(classes...),
		app.If(len(pairs) > 1, func() app.UI {
			return app.Select().Class("inline").Aria("label", "Policies that are compared").OnChange(func(ctx app.Context, _ app.Event) {
				v.paired = ctx.JSSrc().Get("selectedIndex").Int()
			}).Body(pairs...)
		}),
	)
}

// quadrantText says what the four quadrants hold and whether the means differ.
func quadrantText(x, y string, c *simulate.PairOfClass) string {
	q := c.Quadrants
	text := fmt.Sprintf("Of %s, the SLO was kept under both for %s, under %s alone for %s, under %s alone for %s, under neither for %s.",
		count(c.Requests, "request"), ui.Percent(q.Both), x, ui.Percent(q.First), y, ui.Percent(q.Second), ui.Percent(q.Neither))
	if t := float64(c.Test.T); t == t { // not NaN
		verdict := "do not differ"
		if c.Test.Differ {
			verdict = "differ"
		}
		text += fmt.Sprintf(" The means %s at the 5 %% level (Welch's t = %s, %s degrees of freedom).", verdict, ui.Number(t), ui.Number(float64(c.Test.Freedom)))
	}
	return text
}

// fairnessFigures are the three metrics of figure 9, by level of contention,
// class and policy.
func fairnessFigures(pairs []*pairing) [3][]chart.Bar {
	var bars [3][]chart.Bar
	add := func(title string, style chart.Style, list []simulate.LevelFairness, level string) {
		for _, f := range list {
			if f.Level != level {
				continue
			}
			for i, e := range []simulate.Estimate{f.Min, f.Fulfilment, f.Unfairness} {
				mean, half := float64(e.Mean), float64(e.HalfWidth)
				if mean != mean {
					continue
				}
				if half != half {
					half = 0
				}
				bars[i] = append(bars[i], chart.Bar{
					Label: fmt.Sprintf("%s, %s, %s", level, f.Class, title), Style: style, Value: mean, Low: mean - half, High: mean + half,
				})
			}
		}
	}
	for _, level := range levelsOf(pairs) {
		for i, p := range pairs {
			if p.pair == nil || p.pair.Fairness[0] == nil {
				continue
			}
			if i == 0 {
				add(p.x.policy.Title(), styleOf(p.x.report()), p.pair.Fairness[0], level)
			}
			add(p.y.policy.Title(), styleOf(p.y.report()), p.pair.Fairness[1], level)
		}
	}
	return bars
}

func levelsOf(pairs []*pairing) []string {
	var levels []string
	for _, p := range pairs {
		if p.pair != nil && len(levels) == 0 {
			for _, l := range p.pair.Levels {
				levels = append(levels, l.Level)
			}
		}
	}
	return levels
}

// fairness has figure 9.
func (v *View) fairness() []app.UI {
	const empty = "Contention is measured by what the priority-based policy can do: run it and another one, for ten minutes of simulated time or more."
	var lines []app.UI
	if p := v.result.pairing(0); p != nil && p.pair != nil && len(p.pair.Levels) > 0 {
		text := "Intervals of ten minutes by contention, as the priority-based policy has it:"
		for _, l := range p.pair.Levels {
			text += fmt.Sprintf(" %s %s,", l.Level, ui.Count(int64(l.Intervals)))
		}
		lines = append(lines, app.P().Class("note").Text(text[:len(text)-1]+"."))
	}
	titles := [3]string{"Least availability of a class", "Part of the requests whose SLO is kept", "Gini coefficient of the availabilities"}
	ids := [3]string{"qos-fair-least", "qos-fair-kept", "qos-fair-gini"}
	for i, bars := range v.result.figures.fairness {
		lines = append(lines, &chart.Bars{ID: ids[i], TestID: ids[i], Title: titles[i] + ", by contention, class and policy", Empty: empty, Items: bars})
	}
	return lines
}
