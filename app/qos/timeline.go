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

// timeline is where the instances of a policy were over time.
type timeline struct {
	*qoskind.Timeline
	stays  []event.Stay
	events chart.Columns[chart.Event] // the decisions; nil until they are drawn
}

// timeline is the timeline of a run.
func (v *View) timeline(one *run) *lab.Known[*timeline] {
	w, h := v.result.report().Workload.Requests+v.result.report().Workload.Instances, v.result.report().Hosts.Hosts
	if w > qoskind.MaxTimelineRequests || h > qoskind.MaxTimelineHosts {
		return &lab.Known[*timeline]{Problem: fmt.Sprintf("A timeline shows up to %s on up to %s; this run has %s and %s.",
			ui.Counted(qoskind.MaxTimelineRequests, "request"), ui.Counted(qoskind.MaxTimelineHosts, "host"), ui.Counted(w, "request"), ui.Counted(h, "host"))}
	}
	return lab.KnowAs(v.Lab, one.Result, qoskind.TimelineQuestion, qoskind.TimelineQuery{}, func(data *qoskind.Timeline) *timeline {
		return &timeline{Timeline: data, stays: data.Stays()}
	})
}

// followed is the run whose timeline is shown, nil if none is back.
func (v *View) followed() *run {
	if v.result == nil || len(v.result.there()) == 0 {
		return nil
	}
	there := v.result.there()
	return there[min(v.follows, len(there)-1)]
}

// followedTimeline is its timeline.
func (v *View) followedTimeline() *lab.Known[*timeline] {
	if one := v.followed(); one != nil {
		return v.timeline(one)
	}
	return &lab.Known[*timeline]{Waits: true}
}

// follow shows the timeline of a run, if it is back.
func (v *View) follow(one *run) {
	if i := slices.Index(v.result.there(), one); i >= 0 {
		v.follows = i
	}
}

// decided are the decisions in words.
func (t *timeline) decided() chart.Columns[chart.Event] {
	for i := len(t.events); i < len(t.stays); i++ {
		s := &t.stays[i]
		_, _, words := t.Describe(s.Began)
		t.events = append(t.events, chart.Event{ID: i, Time: t.Since(s.From), At: int(s.On), Text: words})
	}
	return t.events
}

// drawn are the instances on their hosts.
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

// first is the first decision about a request, -1 without one.
func (t *timeline) first(request int) int {
	return slices.IndexFunc(t.stays, func(s event.Stay) bool { return int(s.Thing) == request })
}

// timelineChart shows the instances on their hosts.
func (v *View) timelineChart() app.UI {
	one, t := v.followed(), v.followedTimeline()
	if one == nil {
		return app.Text("")
	}
	var of chart.Timeline
	if t.Answer != nil {
		of = lab.Once(v.Lab, [2]any{"timeline", one.Result}, t.Answer.drawn)
	}
	of.XLabel, of.Series, of.Seek = "time (s)", v.result.classNames(), v.sought()
	there := v.result.there()
	return app.Div().Body(
		app.If(len(there) > 1, func() app.UI {
			return app.Div().Class("row").Body(app.Label().Class("choice").Body(app.Span().Text("Policy"),
				ui.Numbered("qos-followed", slices.Index(there, one), lab.FirstOf(len(there)), func(i int) string { return there[i].did.Title }, v.chooseFollowed).Class("inline")))
		}),
		&chart.Chart{ID: "qos-timeline", Title: "Instances on hosts under " + one.policy.Title(), Empty: cmp.Or(t.Problem, "Following the instances …"), Waiting: t.Waits, OnPick: v.pick, Of: of},
		app.If(t.Answer != nil && t.Answer.Left > 0, func() app.UI {
			return app.P().Class("note").Body(ui.Icon("warning"), app.Span().Text("There are more decisions than the timeline can show: it ends early."))
		}),
	)
}

func (v *View) chooseFollowed(policy int) { v.follows, v.why.decision, v.why.of = policy, -1, nil }

// pick explains the decision that was clicked, or the one that began the stay
// that was.
func (v *View) pick(_ app.Context, p chart.Pick) {
	if v.followedTimeline().Answer == nil {
		return // what is drawn belongs to the last result
	}
	v.Tab = ui.PaneWhy
	v.askWhy(p.ID)
}
