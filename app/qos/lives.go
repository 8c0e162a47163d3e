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

// mostPictured limits the policies in the picture on the stage.
const mostPictured = 3

// lives is the picture on the stage: the requests under each policy, in one panel each.
// The ID of a life is the index of its request in the timeline.
type lives struct {
	chart.Lives
	runs []*run // run of each panel
}

// only returns the picture of a single panel.
func (l *lives) only(panel int) *lives {
	one := &lives{Lives: chart.Lives{XLabel: l.XLabel, Panels: l.Panels[panel : panel+1], Bands: l.Bands}, runs: l.runs[panel : panel+1]}
	for _, item := range l.Items {
		if item.Panel == panel {
			item.Panel = 0
			one.Items = append(one.Items, item)
		}
	}
	return one
}

// pictured returns the runs that the stage draws.
func (r *result) pictured() []*run {
	all := r.there()
	return all[:min(len(all), mostPictured)]
}

// lives returns the picture; nil before all its timelines have arrived.
func (w *why) lives() *lives {
	runs := w.view.result.pictured()
	key := [1 + mostPictured]any{"lives"}
	for i, one := range runs {
		if w.timeline(one).Answer == nil {
			return nil
		}
		key[1+i] = one.Result
	}
	return lab.Once(w.view.Lab, key, func() *lives {
		r, l := w.view.result, &lives{Lives: chart.Lives{XLabel: "time (s)"}, runs: runs}
		for _, name := range r.classNames() {
			c := r.report().Classes[slices.IndexFunc(r.report().Classes, func(c qos.Class) bool { return c.Name == name })]
			l.Bands = append(l.Bands, chart.Band{Name: c.Name, Limit: c.SLO})
		}
		for panel, one := range runs {
			l.Panels = append(l.Panels, chart.Panel{Name: one.policy.Title(), Says: panelText(&one.did.Run.All)})
			l.add(panel, w.timeline(one).Answer)
		}
		return l
	})
}

// add adds the requests of a policy to its panel, sorted by class and, within a class, by
// decreasing availability.
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

// spans returns, for each request, the times in which it runs and those in between, in which it is
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

// livesChart draws the picture on the stage. If runs are too large to follow, it draws the
// availability of each request instead.
func (w *why) livesChart() app.UI {
	t := w.followedTimeline()
	if t.Problem != "" {
		return w.stripsChart()
	}
	l := w.lives()
	c := &chart.Chart{ID: "qos-lives", Title: "Each request: when it ran", Empty: "Following the requests …", Waiting: l == nil, Of: chart.Lives{}}
	if l != nil {
		of := l.Lives
		of.Controls, of.Seek = w.view.Stage.PlayerID(), w.sought()
		if !w.view.Dials.Following() { // the player pauses, and making the texts takes longer than the picture
			of.Events = t.Answer.decided()
		}
		c.Of, c.OnPick = of, w.picking(l)
	}
	return c
}

// sideChart draws one of two policies side by side. The player of the first picture
// plays both.
func (w *why) sideChart(side int) app.UI {
	all, panel := w.lives(), w.view.beside.Sides[side]
	l := lab.Once(w.view.Lab, [2]any{all, panel}, func() *lives { return all.only(panel) })
	of := l.Lives
	of.Controls, of.Follows = w.view.Stage.PlayerID(), side > 0
	return &chart.Chart{ID: fmt.Sprint("beside-picture-", side), Title: "Requests under " + l.Panels[0].Name, OnPick: w.picking(l), Of: of}
}

// picking returns the handler of clicks in a picture.
func (w *why) picking(l *lives) func(app.Context, chart.Pick) {
	return func(ctx app.Context, p chart.Pick) { w.pickLife(ctx, l, p) }
}

// pickLife explains the clicked decision, or the first decision about the clicked
// request.
func (w *why) pickLife(ctx app.Context, l *lives, p chart.Pick) {
	w.view.Tab = ui.PaneWhy
	if p.Event {
		w.askWhy(p.ID)
		return
	}
	life := l.Items[p.ID]
	one := l.runs[life.Panel]
	decision := w.timeline(one).Answer.first(life.ID)
	if decision < 0 {
		shell.Announce(ctx, "This request never ran, so there is no decision to explain.")
		return
	}
	w.follow(one)
	w.askWhy(decision)
}

// panelText counts the requests of a policy that met their SLO, and describes the worst
// miss.
func panelText(all *qos.ClassFigures) string {
	text := fmt.Sprintf("%d of %s met their SLO", all.Fulfilled, ui.Counted(all.Requests, "request"))
	if all.Fulfilled < all.Requests {
		text += fmt.Sprintf(", the worst missed it by %.3g percentage points", 100*float64(all.Deficit.Max))
	}
	return text
}
