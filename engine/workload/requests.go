package workload

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/show"
	"berth/engine/sim"
	"berth/engine/sorting"
)

// Request asks for one instance.
type Request struct {
	ID               string // empty: its number in order of arrival, from 1
	User             string // who submitted it, where the format says
	Job              int64
	Submit, Duration sim.Milliseconds // Duration is the time it has to run
	CPU, Memory      cluster.Amount
	GPUs             int            // whole devices, which no other request shares
	GPUShare         cluster.Amount // of the one device that it asks for; 0: all of it
	Class            string         // name of its service class; empty: by priority
	Priority         int            // of the Google trace, 0 to 11; NoPriority if there is none
	SLO              float64        // of its class, where the format says; 0 where it does not
	AntiAffinity     bool           // no two requests of the job on one host
	Constraints      []cluster.Constraint
	Line, Column     int // of its class or priority in the file; 0 of a generated one
}

// Devices is how much of devices it asks for: a share of one, or whole ones.
func (r *Request) Devices() cluster.Amount {
	if r.GPUShare > 0 {
		return r.GPUShare
	}
	return cluster.Amount(r.GPUs) * cluster.Unit
}

// NoPriority is the priority of a request that has only a class.
const NoPriority = -1

// MaxTime is the largest time that is read, about 397 days: the metric Q of
// any request stays exact up to it.
const MaxTime sim.Milliseconds = 1 << 35

// Stream hands out requests in order of submission. Read fills the buffer as
// far as it can and returns how many requests it wrote; it returns io.EOF,
// with no requests, at the end.
type Stream interface {
	Read([]Request) (int, error)
}

// Slice is a stream in memory.
type Slice struct {
	Requests []Request
	next     int
}

// Read implements [Stream].
func (s *Slice) Read(buffer []Request) (int, error) {
	if s.next == len(s.Requests) {
		return 0, io.EOF
	}
	n := copy(buffer, s.Requests[s.next:])
	s.next += n
	return n, nil
}

// ReadAll reads a stream to its end.
func ReadAll(s Stream) ([]Request, error) {
	var all []Request
	err := Each(s, func(r *Request) error {
		all = append(all, *r)
		return nil
	})
	return all, err
}

// Each reads a stream to its end and does something with each request, until that
// fails. A request is there until the function returns.
func Each(s Stream, do func(*Request) error) error {
	buffer := make([]Request, 256)
	for {
		n, err := s.Read(buffer)
		for i := range buffer[:n] {
			if err := do(&buffer[i]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// SortBySubmit puts requests into the order of their submission; those of the
// same time keep their order.
func SortBySubmit(all []Request) {
	bySubmit := func(a, b Request) int { return cmp.Compare(a.Submit, b.Submit) }
	if !slices.IsSortedFunc(all, bySubmit) { // as most are
		sorting.Stable(all, bySubmit)
	}
}

// parseSeconds reads a time in seconds, not negative, as milliseconds.
func parseSeconds(text string) (sim.Milliseconds, error) {
	seconds, ok := show.ParseNumber(text)
	if !ok {
		return 0, NotSeconds(text)
	}
	return toTime(seconds)
}

func toTime(seconds float64) (sim.Milliseconds, error) {
	if !(seconds >= 0 && seconds*1000 <= float64(MaxTime)) {
		return 0, outOfRange(seconds, int64(MaxTime/sim.Second))
	}
	return sim.Milliseconds(math.Round(seconds * 1000)), nil
}

// NotSeconds says that a text is no number of seconds, and of a date what to do.
func NotSeconds(text string) error {
	const form = "2025-11-02"
	if len(text) >= len(form) && text[4] == '-' && text[7] == '-' {
		return dateGiven.New(text)
	}
	return notSeconds.New(text)
}

// Times between these, in seconds, are of the years 1980 to 2096 if they count from 1970.
const EpochFrom, EpochTo = 315_532_800, 4_000_000_000

// outOfRange says that a time is not from 0 to most, and of one since 1970 what to do.
func outOfRange(seconds float64, most int64) error {
	for _, since := range []struct {
		unit  string
		parts float64
	}{{"seconds", 1}, {"milliseconds", 1e3}, {"microseconds", 1e6}} {
		if x := seconds / since.parts; x >= EpochFrom && x <= EpochTo {
			return fmt.Errorf("%s is not a time from 0 to %d s: it looks like %s since 1970; subtract the first time of the file from all, and write seconds",
				show.Number(seconds), most, since.unit)
		}
	}
	return timeRange.New(show.Given(seconds), most)
}

// JobNumbers turns the names of jobs into numbers: a whole number stands for itself, other
// names count down from -1.
type JobNumbers map[string]int64

// Of returns the number of a name.
func (j JobNumbers) Of(name string) int64 {
	if n, err := strconv.ParseInt(name, 10, 64); err == nil && n >= 0 {
		return n
	}
	n, ok := j[name]
	if !ok {
		n = -int64(len(j)) - 1
		j[name] = n
	}
	return n
}

var (
	errNoCPU    = errors.New("cpu must be more than 0")
	errNoMemory = errors.New("memory must be more than 0")
	errDuration = errors.New("the duration must not be negative")
)

// Check says what is wrong with a request that no format can rule out.
func (r *Request) Check() error {
	switch {
	case r.CPU <= 0:
		return errNoCPU
	case r.Memory <= 0:
		return errNoMemory
	case r.Duration < 0:
		return errDuration
	}
	return nil
}

// UsualClass is that of requests of files that have no classes, and WithoutClasses the note
// about such a file.
const (
	UsualClass     = "silver"
	WithoutClasses = "the file has no service classes: all requests are " + UsualClass
)

// UnknownUser is the user of jobs of a file that does not say whose they are.
const UnknownUser = "?"

// filtered are the requests of a stream that it takes.
type filtered struct {
	Stream
	takes func(*Request) bool
}

// Read implements [Stream].
func (f filtered) Read(buffer []Request) (int, error) {
	for {
		n, err := f.Stream.Read(buffer)
		kept := 0
		for i := range buffer[:n] {
			if f.takes(&buffer[i]) {
				buffer[kept] = buffer[i]
				kept++
			}
		}
		if kept > 0 || err != nil || n == 0 {
			return kept, err
		}
	}
}

// Lined is a stream with a request on each line of a file.
type Lined struct {
	Lines *csv.Lines
	Parse func(line string, r *Request) error
}

// Read implements [Stream].
func (s Lined) Read(buffer []Request) (int, error) {
	for n := range buffer {
		line, err := s.Lines.Next()
		if err == nil {
			err = s.Parse(line, &buffer[n])
		}
		if err != nil {
			return Partial(n, err)
		}
	}
	return len(buffer), nil
}

// Partial keeps io.EOF back while there are requests to hand out.
func Partial(n int, err error) (int, error) {
	if n > 0 && err == io.EOF {
		return n, nil
	}
	return n, err
}
