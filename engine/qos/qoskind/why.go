package qoskind

import (
	"context"
	"errors"
	"fmt"

	"berth/engine/qos"
	"berth/engine/sim"
)

// WhyQuery asks why a request got its host, or none, in its first attempt at or after a time, with
// the first seed.
type WhyQuery struct {
	Policy  int     // index, from 0
	Request int     // index in order of arrival, from 0
	Time    float64 // seconds
	// Opens means that the caller has no timeline yet: the question is about the decision that
	// [Timeline.Opening] returns for Decision.
	Opens    bool
	Decision int
}

// Limits of an explanation.
const (
	MaxWhyRequests = 20_000
	MaxWhyHosts    = 2000
)

// Why repeats the run of a policy with the literal scheduler up to the attempt in question.
func (e *Prepared) Why(ctx context.Context, q WhyQuery) (*qos.Explanation, error) {
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
		return nil, problem(".workload", err)
	}
	return qos.Explain(ctx, input, config, uint32(q.Request), toTime(q.Time))
}

// opened converts a query with Opens to a query about a request.
func (e *Prepared) opened(ctx context.Context, q WhyQuery) (WhyQuery, error) {
	line, err := e.Timeline(ctx, PolicyQuery{Policy: q.Policy})
	if err != nil {
		return q, err
	}
	stays := line.Stays()
	decision := line.Opening(stays, q.Decision)
	if decision < 0 {
		return q, errors.New("the run has no decision to explain")
	}
	s := stays[decision]
	return WhyQuery{Policy: q.Policy, Request: int(s.Thing), Time: seconds(sim.Milliseconds(s.From))}, nil
}
