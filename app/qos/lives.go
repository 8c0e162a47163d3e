package qos

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/qos"
)

// mostPictured is how many policies the picture on the stage has.
const mostPictured = 3

// lives are the requests under each policy as the picture on the stage has them; the ID of a
// life is the number of its request in the timeline.
type lives struct {
	chart.Lives
	runs []*run // by panel

	alone map[int]*lives // that have one panel of these
}

// only has one panel.
func (l *lives) only(panel int) *lives {
	if l.alone[panel] == nil {
		one := &lives{Lives: chart.Lives{XLabel: l.XLabel, Panels: l.Panels[panel : panel+1], Bands: l.Bands}, runs: l.runs[panel : panel+1]}
		for _, item := range l.Items {
			if item.Panel == panel {
				item.Panel = 0
				one.Items = append(one.Items, item)
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

// lives is the picture once all its timelines are there; it is nil until then.
func (v *View) lives() *lives {
	runs := v.result.pictured()
	key := [1 + mostPictured]any{"lives"}
	for i, one := range runs {
		if v.timeline(one).Answer == nil {
			return nil
		}
		key[1+i] = one.Result
	}
	return lab.Once(v.Lab, key, func() *lives {
		r, l := v.result, &lives{Lives: chart.Lives{XLabel: "time (s)"}, runs: runs, alone: map[int]*lives{}}
		for _, name := range r.classNames() {
			c := r.report().Classes[slices.IndexFunc(r.report().Classes, func(c qos.Class) bool { return c.Name == name })]
			l.Bands = append(l.Bands, chart.Band{Name: c.Name, Limit: c.SLO})
		}
		for panel, one := range runs {
			l.Panels = append(l.Panels, chart.Panel{Name: one.policy.Title(), Says: panelText(&one.did.Run.All)})
			l.add(panel, v.timeline(one).Answer)
		}
		return l
	})
}

// add puts the requests of a policy into its panel, by class and in it the one that was
// available most first.
func (l *lives) add(panel int, t *timeline) {
	first, spans := len(l.Items), t.spans()
	for i, q := range t.Requests {
		band := slices.IndexFunc(l.Bands, func(b chart.Band) bool { return b.Name == q.Class })
		l.Items = append(l.Items, chart.Life{ID: i, Panel: panel, Band: band, Label: q.ID, Reached: q.Availability, Arrival: q.Submit - t.Start, Spans: spans[i]})
	}
	slices.SortStableFunc(l.Items[first:], func(a, b chart.Life) int {
		return cmp.Or(cmp.Compare(a.Band, b.Band), cmp.Compare(b.Reached, a.Reached))
	})
}

// spans are the times in which each request runs, and those between them in which it was
// preempted.
func (t *timeline) spans() [][]chart.Span {
	all := make([][]chart.Span, len(t.Requests))
	for _, s := range t.stays {
		before := all[s.Thing]
		if n := len(before); n > 0 {
			before[n-1].To = t.Since(s.From)
		}
		before = append(before, chart.Span{From: t.Since(t.Ready(s)), To: t.Since(s.To)})
		if s.Ended >= 0 && t.What[s.Ended] != qos.Completed {
			before = append(before, chart.Span{From: t.Since(s.To), To: t.End - t.Start, Preempted: true})
		}
		all[s.Thing] = before
	}
	return all
}

// livesChart is the picture on the stage; of runs that are too large to follow, the
// availability of each request.
func (v *View) livesChart() app.UI {
	t := v.followedTimeline()
	if t.Problem != "" {
		return v.stripsChart()
	}
	l := v.lives()
	c := &chart.Chart{ID: "qos-lives", Title: "Each request: when it ran", Empty: "Following the requests …", Waiting: l == nil, Of: chart.Lives{}}
	if l != nil {
		of := l.Lives
		of.Controls, of.Seek = v.PlayerID(), v.sought()
		if !v.Following() { // the player rests, and words take longer than the picture
			of.Events = t.Answer.decided()
		}
		c.Of, c.OnPick = of, v.picking(l)
	}
	return c
}

// sideChart is the picture of one of two policies side by side; the player of the first
// plays both.
func (v *View) sideChart(side int) app.UI {
	l := v.lives().only(v.beside.Sides[side])
	of := l.Lives
	of.Controls, of.Follows = v.PlayerID(), side > 0
	return &chart.Chart{ID: fmt.Sprint("beside-picture-", side), Title: "Requests under " + l.Panels[0].Name, OnPick: v.picking(l), Of: of}
}

// picking handles clicks in a picture.
func (v *View) picking(l *lives) func(app.Context, chart.Pick) {
	return func(ctx app.Context, p chart.Pick) { v.pickLife(ctx, l, p) }
}

// pickLife explains the first decision about a request that was clicked, or a decision.
func (v *View) pickLife(ctx app.Context, l *lives, p chart.Pick) {
	v.Tab = ui.PaneWhy
	if p.Event {
		v.askWhy(p.ID)
		return
	}
	life := l.Items[p.ID]
	one := l.runs[life.Panel]
	decision := v.timeline(one).Answer.first(life.ID)
	if decision < 0 {
		shell.Announce(ctx, "This request never ran, so there is no decision to explain.")
		return
	}
	v.follow(one)
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
