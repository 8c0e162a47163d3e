package qoskind

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/cluster"
	"berth/engine/event"
	"berth/engine/qos"
	"berth/engine/show"
	"berth/engine/sim"
)

// Limits of a timeline.
const (
	MaxTimelineRequests = 2000
	MaxTimelineHosts    = 200
	MaxTimelineEvents   = 200_000
)

// Timeline has the events of a run, of the kinds in [qos.Events]. Events refer to requests and
// hosts by their indexes in the lists. Times are in seconds, except in events, where they are in
// milliseconds.
type Timeline struct {
	Start    float64
	End      float64 // end of the run, or time at which the log became full
	Hosts    []TimelineHost
	Requests []TimelineRequest
	event.Log
}

// TimelineHost is a host with its capacities.
type TimelineHost struct {
	Name   string
	CPU    float64
	Memory float64
}

// TimelineRequest is a request, or an instance of a controller.
type TimelineRequest struct {
	ID         string
	Class      string
	Submit     float64
	CPU        float64 `json:"-"`          // the page does not draw it
	Controller string  `json:",omitempty"` // name of the controller; "" for a request of the workload

	Availability float64 // final availability
}

// Called returns the display name of a request, or of an instance if controller is not "".
func Called(id, controller string) string {
	if controller == "" {
		return "request " + id
	}
	return "instance " + id + " of the controller " + controller
}

// Stays returns the periods that requests spend on hosts, in order of the decisions.
func (t *Timeline) Stays() []event.Stay { return t.Log.Stays(qos.Events, t.end()) }

func (t *Timeline) end() int64 { return int64(toTime(t.End)) }

// Since converts the time of an event to seconds since the start of the timeline.
func (t *Timeline) Since(at int64) float64 { return seconds(sim.Milliseconds(at)) - t.Start }

// Ready returns the time at which the host of a stay is prepared, or the end of the stay if that
// comes first.
func (t *Timeline) Ready(s event.Stay) int64 { return min(s.From+t.Value[s.Began], s.To) }

// Victims returns the requests that were preempted for a stay, in order.
func (t *Timeline) Victims(s event.Stay) (all []int32) {
	first := s.Began
	for first > 0 && t.What[first-1] == qos.Preempted && t.By[first-1] == s.Thing {
		first--
	}
	return t.Thing[first:s.Began]
}

// Describe implements [event.Names].
func (t *Timeline) Describe(i int) (request, host, words string) {
	e, by := t.Event(i), ""
	request = t.called(e.Thing)
	if e.On >= 0 {
		host = t.Hosts[e.On].Name
	}
	if e.By >= 0 {
		by = t.called(e.By)
	}
	words = qos.Events[e.What].Say(e.By, request, host, by)
	if all := t.Victims(event.Stay{Thing: e.Thing, Began: i}); len(all) > 0 && e.What == qos.Allocated {
		words += ", where " + show.Joined(all, ", ", func(v int32) string { return t.Requests[v].ID }) + " " + show.Verb(len(all), "makes", "make") + " room"
	}
	return request, host, words
}

func (t *Timeline) called(request int32) string {
	r := &t.Requests[request]
	return fmt.Sprintf("%s (%s)", Called(r.ID, r.Controller), r.Class)
}

// Opening returns the index of the stay that a newly opened timeline shows: the given decision if
// it exists, otherwise the first stay that preempted a request, or the first stay of all. It is -1
// without stays.
func (t *Timeline) Opening(stays []event.Stay, decision int) int {
	switch {
	case len(stays) == 0:
		return -1
	case decision < 0 || decision >= len(stays):
		return max(0, slices.IndexFunc(stays, func(s event.Stay) bool { return len(t.Victims(s)) > 0 }))
	}
	return decision
}

// Timeline returns the timeline that the run of a policy recorded. It repeats a run that was
// stopped and so recorded none. It returns an error if there are too many requests or hosts to
// display.
func (e *Prepared) Timeline(ctx context.Context, q PolicyQuery) (*Timeline, error) {
	if t := e.lines[q.Policy]; t != nil {
		return t, nil
	}
	config, err := e.repeated(q.Policy)
	if err != nil {
		return nil, err
	}
	t, err := e.follow(&config)
	if err != nil {
		return nil, err
	}
	result, err := e.runOnce(ctx, config, nil)
	switch {
	case err != nil:
		return nil, err
	case result.Partial:
		return nil, ctx.Err()
	}
	e.keepLine(q.Policy, t, result)
	return t, nil
}

// follow returns a timeline that a run with the configuration fills.
func (e *Prepared) follow(config *qos.Config) (*Timeline, error) {
	if n := e.arrivals(); n > MaxTimelineRequests {
		return nil, fmt.Errorf("there are %d requests; a timeline shows up to %d", n, MaxTimelineRequests)
	}
	t := &Timeline{Requests: []TimelineRequest{}, Log: event.Log{Most: MaxTimelineEvents}}
	for _, h := range e.everyHost() {
		t.Hosts = append(t.Hosts, TimelineHost{h.Name, h.CPU.Units(), h.Memory.Units()})
	}
	if len(t.Hosts) > MaxTimelineHosts {
		return nil, fmt.Errorf("there are %d hosts; a timeline shows up to %d", len(t.Hosts), MaxTimelineHosts)
	}
	config.Log = &t.Log
	config.Arrived = func(a *qos.Arrival) {
		r := a.Request
		t.Requests = append(t.Requests, TimelineRequest{a.ID, config.Classes[a.Class].Name, seconds(r.Submit), r.CPU.Units(), a.Controller, 0})
	}
	config.Finished = func(o *qos.Outcome) { t.Requests[o.Index].Availability = o.Availability }
	return t, nil
}

func (e *Prepared) keepLine(policy int, t *Timeline, r *qos.Result) {
	t.Start, t.End = seconds(r.Start), seconds(r.End)
	if t.Left > 0 {
		t.End = seconds(sim.Milliseconds(t.Last()))
	}
	e.lines[policy] = t
}

// Events returns the events of all policies in the form that [event.CSV] and [event.Perfetto] take.
func (e *Prepared) Events(ctx context.Context) (all []event.Run, err error) {
	for i := range e.document.Policies {
		t, err := e.Timeline(ctx, PolicyQuery{Policy: i})
		if err != nil {
			return nil, err
		}
		all = append(all, event.Run{Name: e.document.Policies[i].Title(), Log: &t.Log, Names: t, Kinds: qos.Events, PerSecond: float64(sim.Second), End: t.end()})
	}
	return all, nil
}

// repeated returns the configuration to repeat the run of a policy with the first seed, without
// time series.
func (e *Prepared) repeated(policy int) (qos.Config, error) {
	if policy < 0 || policy >= len(e.document.Policies) {
		return qos.Config{}, fmt.Errorf("there is no policy %d: the scenario has %d, from 0", policy, len(e.document.Policies))
	}
	config := e.config
	config.PointEvery, config.FairnessEvery = 0, 0
	if policy < len(e.result) && e.result[policy].Partial {
		config.Horizon = max(1, e.result[policy].End-e.result[policy].Start) // ends where the run was stopped
	}
	return e.document.Policies[policy].carriedOut(config)
}

// everyHost returns all hosts that ever exist, in the order of the engine's host numbers.
func (e *Prepared) everyHost() []cluster.Host {
	all := slices.Clone(e.input.Hosts)
	known := map[string]bool{}
	for _, h := range all {
		known[h.Name] = true
	}
	for _, event := range e.input.HostEvents {
		if !known[event.Host] {
			known[event.Host] = true
			all = append(all, qos.HostOf(&event))
		}
	}
	return all
}
