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
	data    *qoskind.Timeline // nil until it is there
	problem string            // why it is not
	stays   []event.Stay
	chart.Timeline
}

// askTimelines asks for the timelines of the followed policy and of the picture on the stage.
func (v *View) askTimelines(r *result) {
	if followed := r.followed(v.followed); followed != nil {
		v.askTimeline(r, followed)
	}
	v.askPictured(r)
}

// askPictured asks for the timelines of the picture on the stage that are not there yet.
func (v *View) askPictured(r *result) {
	for _, one := range r.pictured() {
		if v.OnStage() && one.timeline == nil {
			v.askTimeline(r, one)
		}
	}
}

// askTimeline asks for the timeline of a run, once.
func (v *View) askTimeline(r *result, one *run) {
	if one.timeline != nil {
		if one == r.followed(v.followed) {
			v.openWhy()
		}
		return
	}
	one.timeline = &timeline{}
	if w, h := r.report.Workload.Requests+r.report.Workload.Instances, r.report.Hosts.Hosts; w > qoskind.MaxTimelineRequests || h > qoskind.MaxTimelineHosts {
		one.timeline.problem = fmt.Sprintf("A timeline shows up to %s on up to %s; this run has %s and %s.",
			ui.Counted(qoskind.MaxTimelineRequests, "request"), ui.Counted(qoskind.MaxTimelineHosts, "host"), ui.Counted(w, "request"), ui.Counted(h, "host"))
		return
	}
	t := one.timeline // a further seed may give others before the answer
	lab.AskOf(v.Lab, nil, one.Result, qoskind.TimelineQuestion, qoskind.TimelineQuery{}, func(data *qoskind.Timeline, err error) {
		if err != nil {
			t.problem = err.Error()
			return
		}
		t.fill(data)
		if len(data.Hosts) > 0 {
			v.firstHost, v.hostsOfFirst = data.Hosts[0].Name, r.Inputs.sources[qoskind.HostsSlot]
		}
		if v.result == r && one == r.followed(v.followed) && one.timeline == t {
			v.openWhy()
		}
	})
}

// followed is the run whose timeline is shown, nil if none is back.
func (r *result) followed(policy int) *run {
	there := r.there()
	if len(there) == 0 {
		return nil
	}
	return there[min(policy, len(there)-1)]
}

// follow shows the timeline of a run, if it is back.
func (v *View) follow(one *run) {
	if i := slices.Index(v.result.there(), one); i >= 0 && i != v.followed {
		v.followed = i
		v.why.forget()
	}
}

func (t *timeline) fill(data *qoskind.Timeline) {
	t.data, t.stays = data, data.Stays()
	for _, h := range data.Hosts {
		t.Rows = append(t.Rows, h.Name)
	}
	for i, s := range t.stays {
		r, from := &data.Requests[s.Thing], data.Since(s.From)
		_, _, words := data.Describe(s.Began)
		t.Intervals = append(t.Intervals, chart.Interval{
			ID: i, Row: int(s.On), Lane: s.Lane, Label: qoskind.Called(r.ID, r.Controller), Series: r.Class,
			Start: from, Run: data.Since(data.Ready(s)), End: data.Since(s.To),
		})
		t.Events = append(t.Events, chart.Event{ID: i, Time: from, At: int(s.On), Text: words})
	}
}

// first is the first decision about a request, -1 without one.
func (t *timeline) first(request int) int {
	return slices.IndexFunc(t.stays, func(s event.Stay) bool { return int(s.Thing) == request })
}

// timelineChart shows the instances on their hosts.
func (v *View) timelineChart() app.UI {
	one := v.result.followed(v.followed)
	if one == nil || one.timeline == nil {
		return app.Text("")
	}
	t := one.timeline
	of := t.Timeline
	of.XLabel, of.Series, of.Seek = "time (s)", v.result.classNames(), v.why.seek
	empty := cmp.Or(t.problem, "Following the instances …")
	there := v.result.there()
	return app.Div().Body(
		app.If(len(there) > 1, func() app.UI {
			return app.Div().Class("row").Body(app.Label().Class("choice").Body(app.Span().Text("Policy"),
				ui.Numbered("qos-followed", slices.Index(there, one), lab.FirstOf(len(there)), func(i int) string { return there[i].did.Title }, v.chooseFollowed).Class("inline")))
		}),
		&chart.Chart{ID: "qos-timeline", Title: "Instances on hosts under " + one.policy.Title(), Empty: empty, Waiting: t.data == nil && t.problem == "", OnPick: v.pick,
			Of: of},
		app.If(t.data != nil && t.data.Left > 0, func() app.UI {
			return app.P().Class("note").Body(ui.Icon("warning"), app.Span().Text("There are more decisions than the timeline can show: it ends early."))
		}),
	)
}

func (v *View) chooseFollowed(policy int) {
	v.followed = policy
	v.why.forget()
	v.why.decision = -1
	v.askTimelines(v.result)
}

// pick explains the decision that was clicked, or the one that began the stay
// that was.
func (v *View) pick(_ app.Context, p chart.Pick) {
	one := v.result.followed(v.followed)
	if one.timeline.data == nil {
		return // what is drawn belongs to the last result
	}
	v.Tab = ui.PaneWhy
	v.askWhy(p.ID)
}

// openWhy explains a decision at once: the one that is explained, or the first
// that took a host from somebody.
func (v *View) openWhy() {
	if v.wanted > 0 {
		v.explainWanted()
		return
	}
	t := v.followedTimeline()
	if t == nil || t.data == nil {
		return
	}
	if decision := t.data.Opening(v.why.decision); decision >= 0 {
		v.ask(decision, qoskind.WhyQuery{Opens: true, Decision: v.why.decision})
	}
}
