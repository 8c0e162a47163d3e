package qos

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/sorting"
)

// mostPictured is how many policies the picture on the stage has.
const mostPictured = 3

// lives are the requests under each policy as the picture on the stage has them.
type lives struct {
	panels []chart.Panel
	bands  []chart.Band
	items  []chart.Life
	of     []*run // of each item
	number []int  // of its request in the timeline

	alone map[int]*lives // that have one panel of these
}

// only has one panel.
func (l *lives) only(panel int) *lives {
	if l.alone[panel] == nil {
		one := &lives{panels: l.panels[panel : panel+1], bands: l.bands}
		for i, item := range l.items {
			if item.Panel == panel {
				item.Panel = 0
				one.items, one.of, one.number = append(one.items, item), append(one.of, l.of[i]), append(one.number, l.number[i])
			}
		}
		l.alone[panel] = one
	}
	return l.alone[panel]
}

// pictured are the runs that the picture on the stage has.
func (r *result) pictured() []*run {
	all := r.there()
	return all[:min(len(all), mostPictured)]
}

// livesOf makes the picture once all its timelines are there; it is nil until then.
func livesOf(r *result) *lives {
	l := &lives{alone: map[int]*lives{}}
	for _, name := range r.classNames() {
		c := r.report.Classes[slices.IndexFunc(r.report.Classes, func(c qos.Class) bool { return c.Name == name })]
		l.bands = append(l.bands, chart.Band{Name: c.Name, Limit: c.SLO})
	}
	for panel, one := range r.pictured() {
		if one.timeline == nil || one.timeline.data == nil {
			return nil
		}
		all := one.did.Run.All
		l.panels = append(l.panels, chart.Panel{Name: one.policy.Title(), Says: panelText(&all)})
		l.add(r, panel, one)
	}
	return l
}

// add puts the requests of a policy into its panel, by class and in it the one that was
// available most first.
func (l *lives) add(r *result, panel int, one *run) {
	t := one.timeline.data
	spans := one.timeline.spans()
	var items []chart.Life
	var number []int
	seen := map[string]int{}
	for i := range t.Requests {
		q := &t.Requests[i]
		class := q.Class
		items = append(items, chart.Life{
			Panel: panel, Band: slices.IndexFunc(l.bands, func(b chart.Band) bool { return b.Name == class }), Label: q.ID,
			Reached: r.reached(one, class, seen[class], spans[i], q.Submit-t.Start, t.End-t.Start), Arrival: q.Submit - t.Start, Spans: spans[i],
		})
		number = append(number, i)
		seen[class]++
	}
	sorting.Stable(number, func(a, b int) int {
		return cmp.Or(cmp.Compare(items[a].Band, items[b].Band), cmp.Compare(items[b].Reached, items[a].Reached))
	})
	for _, i := range number {
		l.items, l.of = append(l.items, items[i]), append(l.of, one)
	}
	l.number = append(l.number, number...)
}

// spans are the times in which each request runs, and those between them in which it was
// preempted.
func (t *timeline) spans() [][]chart.Span {
	all := make([][]chart.Span, len(t.data.Requests))
	for _, s := range t.stays {
		before := all[s.Thing]
		if n := len(before); n > 0 {
			before[n-1].To = t.data.Since(s.From)
		}
		before = append(before, chart.Span{From: t.data.Since(t.data.Ready(s)), To: t.data.Since(s.To)})
		if s.Ended >= 0 && t.data.What[s.Ended] != qos.Completed {
			before = append(before, chart.Span{From: t.data.Since(s.To), To: t.data.End - t.data.Start, Preempted: true})
		}
		all[s.Thing] = before
	}
	return all
}

// reached is the availability of a request, the one of that number in its class: as the
// report has it, or, where that has only means of several, by its spans.
func (r *result) reached(one *run, class string, number int, spans []chart.Span, arrival, end float64) float64 {
	of := one.did.Run
	for _, s := range r.figures.strips {
		if c := of.Class(class); s.Group == class && s.Name == one.policy.Title() && len(s.Values) == c.Requests && number < len(s.Values) {
			return s.Values[number]
		}
	}
	ran, last := 0.0, end
	for i, s := range spans {
		if !s.Preempted {
			ran += s.To - s.From
			if i == len(spans)-1 {
				last = s.To
			}
		}
	}
	if last <= arrival {
		return 0
	}
	return ran / (last - arrival)
}

// livesChart is the picture on the stage; of runs that are too large to follow, the
// availability of each request.
func (v *View) livesChart() app.UI {
	r := v.result
	t := v.followedTimeline()
	if t != nil && t.problem != "" {
		return v.stripsChart()
	}
	f := r.figures
	if f.lives == nil && f.stripsAwaited == 0 {
		f.lives = livesOf(r)
	}
	c := &chart.Chart{ID: "qos-lives", Title: "Each request: when it ran", Empty: "Following the requests …", Waiting: f.lives == nil}
	of := chart.Lives{XLabel: "time (s)", Controls: v.PlayerID(), Seek: v.why.seek}
	if l := f.lives; l != nil {
		of.Panels, of.Bands, of.Items, of.Events, c.OnPick = l.panels, l.bands, l.items, t.events, v.picking(l)
	}
	c.Of = of
	return c
}

// sideChart is the picture of one of two policies side by side; the player of the first
// plays both.
func (v *View) sideChart(side int) app.UI {
	l := v.result.figures.lives.only(v.beside.Sides[side])
	id := fmt.Sprint("beside-picture-", side)
	return &chart.Chart{ID: id, Title: "Requests under " + l.panels[0].Name, OnPick: v.picking(l),
		Of: chart.Lives{XLabel: "time (s)", Controls: v.PlayerID(), Follows: side > 0, Panels: l.panels, Bands: l.bands, Items: l.items}}
}

// picking handles clicks in a picture.
func (v *View) picking(l *lives) func(app.Context, chart.Pick) {
	return func(ctx app.Context, p chart.Pick) { v.pickLife(ctx, l, p) }
}

// pickLife explains the first decision about a request that was clicked, or a decision.
func (v *View) pickLife(ctx app.Context, l *lives, p chart.Pick) {
	if p.Event {
		v.askWhy(p.ID)
		return
	}
	one := l.of[p.ID]
	decision := one.timeline.first(l.number[p.ID])
	if decision < 0 {
		shell.Announce(ctx, "This request never ran, so there is no decision to explain.")
		return
	}
	if i := slices.Index(v.result.there(), one); i != v.followed {
		v.followed = i
		v.why.forget()
	}
	v.askWhy(decision)
}

// panelText counts the requests of a policy that met their SLO, and words the worst miss.
func panelText(all *qos.ClassFigures) string {
	text := fmt.Sprintf("%d of %s met their SLO", all.Fulfilled, ui.Counted(all.Requests, "request"))
	if all.Fulfilled < all.Requests {
		text += fmt.Sprintf(", the worst missed it by %.3g percentage points", 100*float64(all.Deficit.Max))
	}
	return text
}
