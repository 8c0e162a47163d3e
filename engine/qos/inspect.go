package qos

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Inspection summarises a workload before it is run.
type Inspection struct {
	Requests    int
	First, Last sim.Milliseconds // first and last submission
	Ordered     bool             // requests are in order of submission

	Hopeless            Noted             // requests that fit on no host, even an empty one
	Most                cluster.Resources // largest amount of each resource that one of them requests
	HopelessControllers Noted             // controllers whose instances fit on no host
	OtherSLO            Noted             // requests with an SLO different from their class's
	Repeated            Noted             // requests whose id repeats an earlier one, among the first 2²⁰ distinct ids
	Momentary           Noted             // requests with a duration of 0
}

// Noted counts occurrences of a problem and keeps the name of the first one.
type Noted struct {
	N     int
	First string
}

// Add counts one more occurrence.
func (n *Noted) Add(name string) {
	if n.N++; n.N == 1 {
		n.First = strings.Clone(name)
	}
}

// maxIDs limits the number of stored ids, and so the memory for long workloads.
const maxIDs = 1 << 20

// RequestError reports an invalid request.
type RequestError struct {
	Number       int // in order of arrival, from 1
	ID           string
	Line, Column int // position in its file; 0 if it has none
	Err          error
}

func (e *RequestError) Error() string {
	return fmt.Sprintf("request %d, %.40q: %v", e.Number, e.ID, e.Err)
}

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }

// EventError reports an invalid host event that comes from no file.
type EventError struct {
	Event int // number of the event, from 1
	Err   error
}

func (e *EventError) Error() string { return fmt.Sprintf("host event %d: %v", e.Event, e.Err) }

// Unwrap returns the cause.
func (e *EventError) Unwrap() error { return e.Err }

// Inspect reads a workload to its end and summarises it. An error about a single
// request is a [*RequestError].
func Inspect(requests workload.Stream, input Input, config Config) (*Inspection, error) {
	s, err := newSystem(input, config)
	if err != nil {
		return nil, err
	}
	seen := &Inspection{Ordered: true}
	for _, c := range s.controllers {
		if k, err := s.instanceOf(&c.Template); err != nil || !s.fitsSomewhere(&k) {
			seen.HopelessControllers.Add(c.Name)
		}
	}
	known := ids{}
	err = workload.Each(requests, func(r *workload.Request) error {
		if err := s.inspect(r, seen); err != nil {
			return &RequestError{seen.Requests + 1, r.ID, r.Line, r.Column, err}
		}
		if !known.add(r.ID) {
			seen.Repeated.Add(r.ID)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return seen, nil
}

func (s *system) inspect(r *workload.Request, seen *Inspection) error {
	k, err := s.instanceOf(r)
	if err != nil {
		return err
	}
	if seen.Requests == 0 {
		seen.First, seen.Last = r.Submit, r.Submit
	}
	seen.Requests++
	seen.Ordered = seen.Ordered && r.Submit >= seen.Last
	seen.First, seen.Last = min(seen.First, r.Submit), max(seen.Last, r.Submit)
	if !s.fitsSomewhere(&k) {
		seen.Hopeless.Add(seen.name(r))
		seen.Most.Raise(&k.asks)
	}
	if r.Duration == 0 {
		seen.Momentary.Add(seen.name(r))
	}
	if r.SLO > 0 && r.SLO != s.config.Classes[k.class].SLO {
		seen.OtherSLO.Add(seen.name(r))
	}
	return nil
}

// name returns the id of the latest request, or its number if it has no id.
func (seen *Inspection) name(r *workload.Request) string {
	return cmp.Or(r.ID, strconv.Itoa(seen.Requests))
}

// ids is a set of hashed ids.
type ids map[uint64]struct{}

// add adds an id and reports false if the set already contains it.
func (known ids) add(id string) bool {
	if id == "" {
		return true
	}
	hash := fnv.New64a()
	io.WriteString(hash, id)
	sum := hash.Sum64()
	_, again := known[sum]
	if !again && len(known) < maxIDs {
		known[sum] = struct{}{}
	}
	return !again
}
