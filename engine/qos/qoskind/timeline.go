package qoskind

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/cluster"
	"berth/engine/qos"
	"berth/engine/sim"
	"berth/engine/workload"
)

// Limits of a timeline.
const (
	MaxTimelineRequests  = 2000
	MaxTimelineHosts     = 200
	MaxTimelineDecisions = 50_000
)

// TimelineQuery asks for the timeline of a policy, from 0, with the first seed.
type TimelineQuery struct {
	Policy int `json:"policy"`
}

// Timeline is where each instance was at each time. Requests and hosts are
// numbers from 0 in the order of their lists; times are in seconds.
type Timeline struct {
	Start    float64           `json:"start"`
	End      float64           `json:"end"`
	Hosts    []TimelineHost    `json:"hosts"`
	Requests []TimelineRequest `json:"requests"`
	Stays    Stays             `json:"stays"`
	// Cut says that there were more than MaxTimelineDecisions decisions: the
	// timeline ends there.
	Cut bool `json:"cut,omitempty"`
}

// TimelineHost is a host with its capacities.
type TimelineHost struct {
	Name   string  `json:"name"`
	CPU    float64 `json:"cpu"`
	Memory float64 `json:"memory"`
}

// TimelineRequest is a request, or an instance of a controller.
type TimelineRequest struct {
	ID         string  `json:"id"`
	Class      int     `json:"class"` // by the classes of the report
	Submit     float64 `json:"submit"`
	CPU        float64 `json:"cpu"`
	Memory     float64 `json:"memory"`
	Controller string  `json:"controller,omitempty"` // its name
}

// Stays are the times that instances spend on hosts, in the order of the decisions
// that put them there and in columns of the same length: the host is being prepared
// until Ready, then the instance runs.
type Stays struct {
	Request []int     `json:"request"`
	Host    []int     `json:"host"`
	From    []float64 `json:"from"`
	Ready   []float64 `json:"ready"`
	To      []float64 `json:"to"`
	Ended   []int     `json:"ended"`   // why: see StillThere
	Victims [][]int   `json:"victims"` // requests that lost the host to it; null for none
}

// The values of Stays.Ended.
const (
	StillThere = iota
	Completed
	Preempted
	HostLost
)

// Opening is the decision that a newly opened timeline explains: the one of that number, or else
// the first that preempted a request; -1 without decisions.
func (t *Timeline) Opening(decision int) int {
	switch s := &t.Stays; {
	case len(s.From) == 0:
		return -1
	case decision < 0 || decision >= len(s.From):
		return max(0, slices.IndexFunc(s.Victims, func(v []int) bool { return len(v) > 0 }))
	}
	return decision
}

// Timeline repeats the run of a policy and records where its instances are.
// More requests, hosts or decisions than can be looked at are refused.
func (e *Prepared) Timeline(ctx context.Context, q TimelineQuery) (*Timeline, error) {
	config, err := e.repeated(q.Policy)
	if err != nil {
		return nil, err
	}
	if n := e.arrivals(); n > MaxTimelineRequests {
		return nil, fmt.Errorf("there are %d requests; a timeline shows up to %d", n, MaxTimelineRequests)
	}
	hosts := e.everyHost()
	if len(hosts) > MaxTimelineHosts {
		return nil, fmt.Errorf("there are %d hosts; a timeline shows up to %d", len(hosts), MaxTimelineHosts)
	}
	w := newWatch(hosts, e.input.HostEvents)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	config.Decided = func(d *qos.Decision) {
		w.decided(d)
		if len(w.Stays.From) == MaxTimelineDecisions {
			w.Cut = true
			stop()
		}
	}
	config.Arrived, config.Finished = w.admitted, w.finished
	input := e.input
	input.Requests, err = e.requests(ctx)
	if err != nil {
		return nil, e.problem(".workload", err)
	}
	result, err := qos.Run(ctx, input, config)
	if err != nil {
		return nil, e.problem(".workload", err)
	}
	if result.Partial && !w.Cut {
		return nil, ctx.Err()
	}
	w.end(result)
	return &w.Timeline, nil
}

// repeated returns the configuration of the run of a policy with the first seed, without records
// over time.
func (e *Prepared) repeated(policy int) (qos.Config, error) {
	if policy < 0 || policy >= len(e.document.Policies) {
		return qos.Config{}, fmt.Errorf("there is no policy %d: the scenario has %d, from 0", policy, len(e.document.Policies))
	}
	config := e.config
	config.PointEvery, config.FairnessEvery = 0, 0
	if policy < len(e.result) && e.result[policy].Partial {
		config.Horizon = max(1, e.result[policy].End-e.result[policy].Start) // as far as it came
	}
	return e.document.Policies[policy].carriedOut(config)
}

// everyHost returns all hosts that there ever are, as the engine numbers them.
func (e *Prepared) everyHost() []cluster.Host {
	all := slices.Clone(e.input.Hosts)
	known := map[string]bool{}
	for _, h := range all {
		known[h.Name] = true
	}
	for _, event := range e.input.HostEvents {
		if !known[event.Host] {
			known[event.Host] = true
			all = append(all, cluster.Host{Name: event.Host, CPU: event.CPU, Memory: event.Memory, GPUs: event.GPUs})
		}
	}
	return all
}

// watch follows a run.
type watch struct {
	Timeline
	hostIndex map[string]int
	events    []workload.HostEvent // still to come
	open      map[int]int          // stays that go on, by request
	names     names
}

func newWatch(hosts []cluster.Host, events []workload.HostEvent) *watch {
	w := &watch{hostIndex: map[string]int{}, events: events, open: map[int]int{}}
	for i, h := range hosts {
		w.hostIndex[h.Name] = i
		w.Hosts = append(w.Hosts, TimelineHost{h.Name, h.CPU.Units(), h.Memory.Units()})
	}
	w.Requests = []TimelineRequest{}
	return w
}

func (w *watch) admitted(a *qos.Arrival) {
	w.names.admitted(a)
	r, last := a.Request, w.names.all[a.Index]
	w.Requests = append(w.Requests, TimelineRequest{last.id, a.Class, seconds(r.Submit), r.CPU.Units(), r.Memory.Units(), last.controller})
}

func (w *watch) decided(d *qos.Decision) {
	w.until(d.At)
	var victims []int
	for _, v := range d.Victims {
		victims = append(victims, int(v))
		w.leave(int(v), d.At, Preempted)
	}
	s, request, at := &w.Stays, int(d.Request), seconds(d.At)
	w.open[request] = len(s.Request)
	s.Request, s.Host = append(s.Request, request), append(s.Host, d.Host)
	s.From, s.Ready, s.To = append(s.From, at), append(s.Ready, at+seconds(d.Overhead)), append(s.To, at)
	s.Ended, s.Victims = append(s.Ended, StillThere), append(s.Victims, victims)
}

func (w *watch) finished(o *qos.Outcome) {
	if o.Completed {
		at := o.Submit + o.Run + o.Pending
		w.until(at)
		w.leave(int(o.Index), at, Completed)
	}
}

// until lets the hosts go that go up to a time: before all else of that time.
func (w *watch) until(t sim.Milliseconds) {
	for len(w.events) > 0 && w.events[0].At <= t {
		event := w.events[0]
		w.events = w.events[1:]
		if event.Up {
			continue
		}
		for request, stay := range w.open {
			if w.Stays.Host[stay] == w.hostIndex[event.Host] {
				w.leave(request, event.At, HostLost)
			}
		}
	}
}

// leave ends the stay of a request, if it has one.
func (w *watch) leave(request int, at sim.Milliseconds, why int) {
	stay, ok := w.open[request]
	if !ok {
		return
	}
	delete(w.open, request)
	w.Stays.To[stay], w.Stays.Ended[stay] = seconds(at), why
	w.Stays.Ready[stay] = min(w.Stays.Ready[stay], seconds(at))
}

// end ends what goes on at the end of the run.
func (w *watch) end(r *qos.Result) {
	w.until(r.End)
	w.Start, w.End = seconds(r.Start), seconds(r.End)
	for request := range w.open {
		w.leave(request, r.End, StillThere)
	}
}
