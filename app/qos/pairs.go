package qos

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// pairing compares policy y with the baseline x, request by request. The chart shows x
// on the x axis.
type pairing struct {
	x, y *run
	*lab.Known[paired]
}

// paired is a comparison of two policies, with the counts of its heat maps by class.
type paired struct {
	*qoskind.Pair // nil until the comparison arrives
	counts        map[string][]float64
}

// pairs compares every other policy with the baseline.
func (cs *charts) pairs() (all []*pairing) {
	there, base := cs.view.result.there(), baseline(cs.view.result.policies())
	for i, one := range there {
		if i != base {
			all = append(all, &pairing{there[base], one, cs.pair(there[base], one)})
		}
	}
	return all
}

func (cs *charts) pair(x, y *run) *lab.Known[paired] {
	query := qoskind.PairQuery{Classes: cs.view.result.report().Classes}
	if qos.IsBaseline(x.policy.Name) {
		query.Priority = 1
	}
	of := [2]*bridge.Result{x.Result, y.Result}
	return lab.Know(cs.view.Lab, of, func() (p paired, err error) {
		files := map[string]bridge.Blob{}
		for side, name := range []string{qoskind.FirstSide, qoskind.SecondSide} {
			if err := of[side].PutArrays(files, map[string]string{name: qoskind.OutcomeArray(0)}); err != nil {
				return p, err
			}
		}
		p.Pair, err = bridge.AskTool(cs.view.Page, cs.view.Engine, qoskind.PairQuestion, query, files)
		p.counts = map[string][]float64{}
		for _, c := range p.classes() {
			p.counts[c.Name] = flat(c.Bins)
		}
		return p, err
	})
}

func flat(bins [][]int) (all []float64) {
	for _, n := range slices.Concat(bins...) {
		all = append(all, float64(n))
	}
	return all
}

// classes returns the classes of the pair, followed by all of them together.
func (p *paired) classes() []qoskind.PairOfClass {
	if p.Pair == nil {
		return nil
	}
	return append(slices.Clip(p.Classes), p.All)
}

// class returns the class with this name or, if there is none, the class in which the fewest
// requests met their SLO under both policies.
func (p *paired) class(name string) *qoskind.PairOfClass {
	var found *qoskind.PairOfClass
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

// pairing returns the pair on screen; nil for none.
func (cs *charts) pairing() *pairing {
	all := cs.pairs()
	if len(all) == 0 {
		return nil
	}
	return all[min(cs.paired, len(all)-1)]
}

// heatMap draws figure 6 for the chosen pair of policies and class.
func (cs *charts) heatMap() app.UI {
	m := &chart.Chart{ID: "qos-heatmap", Title: "Availability by request", Empty: "Choose two policies to compare each request.", Of: chart.Paired{}}
	place := app.Div().Class("paired")
	p := cs.pairing()
	if p == nil {
		return place.Body(m)
	}
	c := p.Answer.class(cs.pairedClass)
	if c == nil {
		m.Empty, m.Waiting = cmp.Or(p.Problem, "Comparing …"), p.Waits
		return place.Body(m, app.P().Class("note").Text(""))
	}
	x, y, q := p.x.policy.Title(), p.y.policy.Title(), c.Quadrants
	m.Title += ": " + c.Name
	m.Of = chart.Paired{XName: x, YName: y, XLabel: "availability under " + x, YLabel: "availability under " + y,
		Bins: len(c.Bins), Counts: p.Answer.counts[c.Name], Limit: c.SLO,
		Quadrants: chart.Quadrants{Both: q.Both, OnlyX: q.First, OnlyY: q.Second, Neither: q.Neither}}
	return place.Body(m, app.P().Class("note").Text(quadrantText(x, y, c)))
}

// pairedFields draws the selects for the pair and the class of the heat map.
func (cs *charts) pairedFields() app.UI {
	p := cs.pairing()
	if p == nil {
		return app.Text("")
	}
	class, known := p.Answer.class(cs.pairedClass), p.Answer.classes()
	classes := ui.Options(len(known), func(i int) (value, text string) { return known[i].Name, known[i].Name })
	shown := ""
	if class != nil {
		shown = class.Name
	} else { // a placeholder until the comparison arrives
		classes = append(classes, ui.Option("", cmp.Or(cs.pairedClass, "all")))
	}
	chosen := ui.Select("qos-paired-class", shown, func(name string) { cs.pairedClass = name }, classes...).Class("inline")
	if class == nil {
		chosen.Disabled(true)
	}
	all := cs.pairs()
	name := func(i int) string { return all[i].y.policy.Title() + " against " + all[i].x.policy.Title() }
	return app.Div().Class("row").Body(
		app.Label().Class("choice").Body(app.Span().Text("Class"), chosen),
		app.If(len(all) > 1, func() app.UI {
			return app.Label().Class("choice").Body(app.Span().Text("Policies"),
				ui.Numbered("qos-paired-policies", min(cs.paired, len(all)-1), lab.FirstOf(len(all)), name, func(i int) { cs.paired = i }).Class("inline"))
		}),
	)
}

// quadrantText describes the four quadrants, and whether the means differ.
func quadrantText(x, y string, c *qoskind.PairOfClass) string {
	q := c.Quadrants
	text := fmt.Sprintf("Of %s, the SLO was kept under both for %s, under %s alone for %s, under %s alone for %s, under neither for %s.",
		ui.Counted(c.Requests, "request"), ui.Percent(q.Both), x, ui.Percent(q.First), y, ui.Percent(q.Second), ui.Percent(q.Neither))
	if t := float64(c.Test.T); t == t { // not NaN
		verdict := "do not differ"
		if c.Test.Differ {
			verdict = "differ"
		}
		text += fmt.Sprintf(" The means %s at the 5 %% level (Welch's t = %s, %s degrees of freedom).", verdict, ui.Number(t), ui.Number(float64(c.Test.Freedom)))
	}
	return text
}

// fairnessFigures returns the bars of the three metrics of figure 9, by level of
// contention, class and policy.
func (cs *charts) fairnessFigures() (bars [3][]chart.Bar) {
	for level := qos.NoContention; level <= qos.HighContention; level++ {
		for _, class := range cs.view.result.classNames() {
			for i, p := range cs.pairs() {
				if p.Answer.Pair == nil || p.Answer.Fairness[0] == nil {
					continue
				}
				if i == 0 {
					cs.drawn().addFairness(&bars, p.x, p.Answer.Fairness[0], level.String(), class)
				}
				cs.drawn().addFairness(&bars, p.y, p.Answer.Fairness[1], level.String(), class)
			}
		}
	}
	return bars
}

// addFairness adds the metrics of a policy in the intervals of a level. All metrics are in [0, 1],
// so their confidence intervals are clipped to that range.
func (d *drawn) addFairness(bars *[3][]chart.Bar, one *run, list []qos.LevelFairness, level, class string) {
	i := slices.IndexFunc(list, func(f qos.LevelFairness) bool { return f.Level == level && f.Class == class })
	if i < 0 {
		return
	}
	f := &list[i]
	for m, e := range []figure.Estimate{f.Min, f.Fulfilment, f.Unfairness} {
		mean, half := float64(e.Mean), float64(e.HalfWidth)
		if math.IsNaN(mean) {
			continue
		}
		if math.IsNaN(half) {
			half = 0
		}
		bars[m] = append(bars[m], chart.Bar{
			Label: fmt.Sprintf("%s, %s, %s", level, class, one.policy.Title()), Style: d.styles[one.policy.Title()],
			Value: mean, Low: max(0, mean-half), High: min(1, mean+half),
		})
	}
}

// fairness draws figure 9: the fairness of the policies by level of contention.
func (cs *charts) fairness() []app.UI {
	const empty = "The priority-based policy measures contention: run it and another policy, for at least ten minutes of simulated time."
	var lines []app.UI
	all := cs.pairs()
	if len(all) > 0 && all[0].Answer.Pair != nil && len(all[0].Answer.Levels) > 0 {
		levels := show.Joined(all[0].Answer.Levels, ", ", func(l qoskind.LevelCount) string { return l.Level + " in " + ui.Count(int64(l.Intervals)) })
		lines = append(lines, app.P().Class("note").Text("Contention under the priority-based policy, in intervals of ten minutes: "+levels+"."))
	}
	titles := [3]string{"Lowest availability of a class", "SLOs met", "Inequality of the availabilities"}
	units := [3]string{"availability", "share of requests", "Gini coefficient"}
	ids := [3]string{"qos-fair-least", "qos-fair-kept", "qos-fair-gini"}
	waits := slices.ContainsFunc(all, func(p *pairing) bool { return p.Waits })
	for i, bars := range cs.fairnessFigures() {
		lines = append(lines, &chart.Chart{ID: ids[i], Title: titles[i] + ", by contention, class and policy", Empty: empty, Waiting: waits,
			Of: chart.Bars{Unit: units[i], Items: bars}})
	}
	return lines
}
