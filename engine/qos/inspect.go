package qos

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/sim"
	"berth/engine/workload"
)

// Inspection summarises a workload before it is run.
type Inspection struct {
	Requests    int
	First, Last sim.Milliseconds // first and last submission
	Ordered     bool             // requests are in order of submission
	Hopeless    int              // requests that fit on no host, even an empty one
	Example     string           // id of the first hopeless request
	CPU, Memory cluster.Amount   // largest demands of a hopeless request, in each resource
	GPUs        int              // largest number of GPUs of a hopeless request
	// HopelessControllers counts controllers whose instances fit on no host.
	HopelessControllers int
	ExampleController   string // name of the first of them
	// OtherSLO counts requests with an SLO different from their class's, Repeated
	// those with the id of an earlier request. Only the first 2²⁰ distinct
	// ids are remembered.
	OtherSLO, Repeated               int
	ExampleOtherSLO, ExampleRepeated string
	// Momentary counts requests with a duration of 0.
	Momentary        int
	ExampleMomentary string
}

// maxIDs limits the number of ids that are remembered.
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
	s.inspectControllers(seen)
	known := ids{}
	err = workload.Each(requests, func(r *workload.Request) error {
		if err := s.inspect(r, seen); err != nil {
			return &RequestError{seen.Requests + 1, r.ID, r.Line, r.Column, err}
		}
		if !known.add(r.ID) {
			seen.Repeated++
			if seen.Repeated == 1 {
				seen.ExampleRepeated = seen.name(r)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return seen, nil
}

func (s *system) inspectControllers(seen *Inspection) {
	for _, r := range s.replicas {
		set, err := s.constraintSet(r.Template.Constraints)
		if err == nil && s.fitsSomewhere(&instance{cpu: r.Template.CPU, memory: r.Template.Memory, gpus: r.Template.Devices(), constraints: set}) {
			continue
		}
		seen.HopelessControllers++
		if seen.HopelessControllers == 1 {
			seen.ExampleController = r.Name
		}
	}
}

func (s *system) inspect(r *workload.Request, seen *Inspection) error {
	class, err := s.classify.class(r)
	if err != nil {
		return err
	}
	set, err := s.constraintSet(r.Constraints)
	if err != nil {
		return err
	}
	if seen.Requests == 0 {
		seen.First, seen.Last = r.Submit, r.Submit
	}
	seen.Requests++
	seen.Ordered = seen.Ordered && r.Submit >= seen.Last
	seen.First, seen.Last = min(seen.First, r.Submit), max(seen.Last, r.Submit)
	if err := checkGPUs(r.GPUs); err != nil {
		return err
	}
	if !s.fitsSomewhere(&instance{cpu: r.CPU, memory: r.Memory, gpus: r.Devices(), constraints: set}) {
		seen.Hopeless++
		if seen.Hopeless == 1 {
			seen.Example = seen.name(r)
		}
		seen.CPU, seen.Memory, seen.GPUs = max(seen.CPU, r.CPU), max(seen.Memory, r.Memory), max(seen.GPUs, r.GPUs)
	}
	if r.Duration == 0 {
		seen.Momentary++
		if seen.Momentary == 1 {
			seen.ExampleMomentary = seen.name(r)
		}
	}
	if r.SLO > 0 && r.SLO != s.config.Classes[class].SLO {
		seen.OtherSLO++
		if seen.OtherSLO == 1 {
			seen.ExampleOtherSLO = seen.name(r)
		}
	}
	return nil
}

// name returns the id of the latest request, or its number if it has no id.
func (seen *Inspection) name(r *workload.Request) string {
	if r.ID == "" {
		return fmt.Sprint(seen.Requests)
	}
	return strings.Clone(r.ID)
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
