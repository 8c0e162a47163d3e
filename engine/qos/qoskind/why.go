package qoskind

import (
	"context"
	"errors"
	"fmt"

	"berth/engine/qos"
)

// WhyQuery asks why a request got its host, or none: in the first attempt at a
// time or after it, with the first seed.
type WhyQuery struct {
	Policy  int     `json:"policy"`  // from 0
	Request int     `json:"request"` // in order of arrival, from 0
	Time    float64 `json:"time"`    // s
	// Opens says that the timeline is not known yet: the question is about the decision
	// that [Timeline.Opening] returns for Decision.
	Opens    bool `json:"opens,omitempty"`
	Decision int  `json:"decision,omitempty"`
}

// What an explanation may look at, at most.
const (
	MaxWhyRequests = 20_000
	MaxWhyHosts    = 2000
)

// Why is one attempt to give a request a host, as algorithm 1 of the paper makes
// it. Times and Q are in seconds.
type Why struct {
	Time       float64          `json:"time"`
	Policy     string           `json:"policy"` // that decided: hybrid is one or the other
	Request    Asked            `json:"request"`
	Place      int              `json:"place"`      // in the queue of the pass, from 0
	Queue      int              `json:"queue"`      // its length
	Chosen     int              `json:"chosen"`     // index in Candidates; -1 if no host can take the request
	Candidates []ConsideredHost `json:"candidates"` // all hosts
	Terms      []qos.Term       `json:"terms"`      // of their costs
}

// Asked is a request with the figures that a policy goes by.
type Asked struct {
	Index int    `json:"index"` // in order of arrival, from 0
	ID    string `json:"id"`
	// Controller is the name of the one whose instance it is, if it is one.
	Controller string  `json:"controller,omitempty"`
	Class      string  `json:"class"`
	Q          float64 `json:"q"`
	Margin     float64 `json:"margin"`
	New        bool    `json:"new,omitempty"` // in its first pass, where its Q is 0
}

// ConsideredHost is what a host has to offer.
type ConsideredHost struct {
	Host      string     `json:"host"`
	Feasible  bool       `json:"feasible"`
	Reason    string     `json:"reason"` // why it is not feasible, in words
	Score     float64    `json:"score"`  // the allocation score
	Victims   []Asked    `json:"victims"`
	Cost      []float64  `json:"cost"`      // of the victims: the largest tuple wins
	Rank      int        `json:"rank"`      // breaks ties
	Instances []Resident `json:"instances"` // that are there, in the order in which they would go
}

// Resident is an instance on a host, and why it may not be preempted for the
// request; "" if it may.
type Resident struct {
	Asked
	Kept string `json:"kept,omitempty"`
}

// Why repeats the run of a policy with the literal scheduler up to the attempt
// that is asked about.
func (e *Prepared) Why(ctx context.Context, q WhyQuery) (*Why, error) {
	if q.Opens {
		var err error
		q, err = e.opened(ctx, q)
		if err != nil {
			return nil, err
		}
	}
	config, err := e.repeated(q.Policy)
	if err != nil {
		return nil, err
	}
	hosts := e.everyHost()
	switch {
	case q.Request < 0 || q.Request >= e.arrivals():
		return nil, fmt.Errorf("there is no request %d: there are %d, from 0", q.Request, e.arrivals())
	case !(q.Time >= 0 && q.Time <= maxSeconds):
		return nil, fmt.Errorf("time: found %v, expected seconds from 0 to %v", q.Time, maxSeconds)
	case e.arrivals() > MaxWhyRequests || len(hosts) > MaxWhyHosts:
		return nil, fmt.Errorf("there are %d requests and %d hosts; decisions are explained up to %d and %d", e.arrivals(), len(hosts), MaxWhyRequests, MaxWhyHosts)
	}
	input := e.input
	input.Requests, err = e.requests(ctx)
	if err != nil {
		return nil, e.problem(".workload", err)
	}
	var names names
	config.Arrived = names.admitted
	found, err := qos.Explain(ctx, input, config, uint32(q.Request), toTime(q.Time))
	if err != nil {
		return nil, err
	}
	asked := func(m qos.Member) Asked {
		return Asked{
			Index: int(m.Request), ID: names.all[m.Request].id, Controller: names.all[m.Request].controller, Class: e.config.Classes[m.Class].Name,
			Q: m.Q.Seconds(), Margin: m.Margin.Seconds(), New: m.New,
		}
	}
	w := &Why{
		Time: seconds(found.At), Policy: found.Policy, Request: asked(found.Request), Place: found.Place, Queue: found.Queue,
		Chosen: found.Chosen, Terms: found.Terms, Candidates: []ConsideredHost{},
	}
	for _, c := range found.Candidates {
		candidate := ConsideredHost{
			Host: hosts[c.Host].Name, Feasible: c.Reason == qos.Feasible, Reason: c.Reason.String(), Score: c.Score,
			Cost: c.Cost, Rank: c.Rank,
		}
		for _, v := range c.Victims {
			candidate.Victims = append(candidate.Victims, asked(v))
		}
		for _, r := range c.Instances {
			resident := Resident{Asked: asked(r.Member)}
			if r.Kept != nil {
				resident.Kept = r.Kept.String()
			}
			candidate.Instances = append(candidate.Instances, resident)
		}
		w.Candidates = append(w.Candidates, candidate)
	}
	return w, nil
}

// opened is a question that opens the timeline as one about a request.
func (e *Prepared) opened(ctx context.Context, q WhyQuery) (WhyQuery, error) {
	line, err := e.Timeline(ctx, TimelineQuery{Policy: q.Policy})
	if err != nil {
		return q, err
	}
	decision := line.Opening(q.Decision)
	if decision < 0 {
		return q, errors.New("the run has no decision to explain")
	}
	return WhyQuery{Policy: q.Policy, Request: line.Stays.Request[decision], Time: line.Stays.From[decision]}, nil
}
