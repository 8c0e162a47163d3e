package qos

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/event"
	"berth/engine/qos/qoskind"
)

// timeline holds the hosts of a policy's instances over time.
type timeline struct {
	*qoskind.Timeline
	stays  []event.Stay
	events chart.Columns[chart.Event] // the decisions; nil until they are drawn
}

// timeline returns the timeline of a run. Problem is set if the run is too large for a timeline.
func (w *why) timeline(one *run) *lab.Known[*timeline] {
	size, h := w.view.result.report().Workload.Requests+w.view.result.report().Workload.Instances, w.view.result.report().Hosts.Hosts
	if size > qoskind.MaxTimelineRequests || h > qoskind.MaxTimelineHosts {
		return &lab.Known[*timeline]{Problem: fmt.Sprintf("A timeline shows up to %s on up to %s; this run has %s and %s.",
			ui.Counted(qoskind.MaxTimelineRequests, "request"), ui.Counted(qoskind.MaxTimelineHosts, "host"), ui.Counted(size, "request"), ui.Counted(h, "host"))}
	}
	return lab.KnowAs(w.view.Lab, one.Result, qoskind.TimelineQuestion, qoskind.PolicyQuery{}, func(data *qoskind.Timeline) *timeline {
		return &timeline{Timeline: data, stays: data.Stays()}
	})
}

// followed returns the run whose timeline is on screen; nil before the first run has finished.
func (w *why) followed() *run {
	if w.view.result == nil || len(w.view.result.there()) == 0 {
		return nil
	}
	there := w.view.result.there()
	return there[min(w.follows, len(there)-1)]
}

func (w *why) followedTimeline() *lab.Known[*timeline] {
	if one := w.followed(); one != nil {
		return w.timeline(one)
	}
	return &lab.Known[*timeline]{Waits: true}
}

// follow shows the timeline of a run, if the run has finished.
func (w *why) follow(one *run) {
	if i := slices.Index(w.view.result.there(), one); i >= 0 {
		w.follows = i
	}
}

// decided returns the decisions with their texts.
func (t *timeline) decided() chart.Columns[chart.Event] {
	for i := len(t.events); i < len(t.stays); i++ {
		s := &t.stays[i]
		_, _, words := t.Describe(s.Began)
		t.events = append(t.events, chart.Event{ID: i, Time: t.Since(s.From), At: int(s.On), Text: words})
	}
	return t.events
}

// drawn returns the instances on their hosts.
func (t *timeline) drawn() chart.Timeline {
	of := chart.Timeline{Events: t.decided()}
	for _, h := range t.Hosts {
		of.Rows = append(of.Rows, h.Name)
	}
	for i, s := range t.stays {
		r := &t.Requests[s.Thing]
		of.Intervals = append(of.Intervals, chart.Interval{
			ID: i, Row: int(s.On), Lane: s.Lane, Label: qoskind.Called(r.ID, r.Controller), Series: r.Class,
			Start: t.Since(s.From), Run: t.Since(t.Ready(s)), End: t.Since(s.To),
		})
	}
	return of
}

// first returns the first decision about a request; −1 for none.
func (t *timeline) first(request int) int {
	return slices.IndexFunc(t.stays, func(s event.Stay) bool { return int(s.Thing) == request })
}

// timelineChart draws the instances on their hosts.
func (w *why) timelineChart() app.UI {
	one, t := w.followed(), w.followedTimeline()
	if one == nil {
		return app.Text("")
	}
	var of chart.Timeline
	if t.Answer != nil {
		of = lab.Once(w.view.Lab, [2]any{"timeline", one.Result}, t.Answer.drawn)
	}
	of.XLabel, of.Series, of.Seek = "time (s)", w.view.result.classNames(), w.sought()
	there := w.view.result.there()
	return app.Div().Body(
		app.If(len(there) > 1, func() app.UI {
			return app.Div().Class("row").Body(app.Label().Class("choice").Body(app.Span().Text("Policy"),
				ui.Numbered("qos-followed", slices.Index(there, one), lab.FirstOf(len(there)), func(i int) string { return there[i].did.Title }, w.chooseFollowed).Class("inline")))
		}),
		&chart.Chart{ID: "qos-timeline", Title: "Instances on hosts under " + one.policy.Title(), Empty: cmp.Or(t.Problem, "Following the instances …"), Waiting: t.Waits, OnPick: w.pick, Of: of},
		app.If(t.Answer != nil && t.Answer.Left > 0, func() app.UI {
			return app.P().Class("note").Body(ui.Icon("warning"), app.Span().Text("There are more decisions than the timeline can show: it ends early."))
		}),
	)
}

func (w *why) chooseFollowed(policy int) { w.follows, w.decision, w.of = policy, -1, nil }

// pick explains the clicked decision, or the decision that began the clicked stay.
func (w *why) pick(_ app.Context, p chart.Pick) {
	if w.followedTimeline().Answer == nil {
		return // the drawing belongs to an earlier result
	}
	w.view.Tab = ui.PaneWhy
	w.askWhy(p.ID)
}
