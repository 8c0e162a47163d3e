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

// Inspection is what can be known of a workload before it is run.
type Inspection struct {
	Requests    int
	First, Last sim.Milliseconds // of the submissions
	Ordered     bool             // by submission
	Hopeless    int              // requests that fit no host even if it is empty
	Example     string           // the id of the first of them
	CPU, Memory cluster.Amount   // the most that one of them asks for
	GPUs        int              // as above
	// HopelessControllers counts the ones whose instances fit no host.
	HopelessControllers int
	ExampleController   string // the name of the first of them
	// OtherSLO counts requests that say another SLO than their class has, and
	// Repeated those with the id of one before them, among the first million.
	OtherSLO, Repeated               int
	ExampleOtherSLO, ExampleRepeated string
	// Momentary counts requests that end as they start.
	Momentary        int
	ExampleMomentary string
}

// maxIDs bounds the ids that are compared.
const maxIDs = 1 << 20

// RequestError is a request that cannot be taken.
type RequestError struct {
	Number       int // in order of arrival, from 1
	ID           string
	Line, Column int // of its file; 0 if it has none
	Err          error
}

func (e *RequestError) Error() string {
	return fmt.Sprintf("request %d, %.40q: %v", e.Number, e.ID, e.Err)
}

// Unwrap returns what is wrong with the request.
func (e *RequestError) Unwrap() error { return e.Err }

// EventError is what is wrong with an event of a host that is in no file.
type EventError struct {
	Event int // its place, from 1
	Err   error
}

func (e *EventError) Error() string { return fmt.Sprintf("host event %d: %v", e.Event, e.Err) }

// Unwrap returns what is wrong with the event.
func (e *EventError) Unwrap() error { return e.Err }

// Inspect reads a workload to its end. What it says about a single request is a
// [*RequestError].
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

// name returns the id of the latest request, or its number.
func (seen *Inspection) name(r *workload.Request) string {
	if r.ID == "" {
		return fmt.Sprint(seen.Requests)
	}
	return strings.Clone(r.ID)
}

// ids are the hashes of ids.
type ids map[uint64]struct{}

// add says false of an id that was there before, as far as that is known.
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
