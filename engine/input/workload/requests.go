package workload

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// Request is a request for one instance.
type Request struct {
	ID               string // "": its number in order of arrival, from 1
	User             string // submitter, if the format has one
	Job              int64
	Submit, Duration sim.Milliseconds // Duration is the required run time
	CPU, Memory      cluster.Amount
	GPUs             int            // whole devices, used exclusively
	GPUShare         cluster.Amount // share of the single device requested; 0: the whole device
	Class            string         // name of the service class; "": determined by Priority
	Priority         int            // priority in the Google trace, 0 to 11, or NoPriority
	SLO              float64        // SLO of its class in the file; 0 if the format has none
	AntiAffinity     bool           // at most one request of the job per host
	Constraints      []cluster.Constraint
	Line, Column     int // position of its class or priority in the file; 0 if generated
}

// Devices returns the requested GPUs in units of one GPU: a share of one device, or whole devices.
func (r *Request) Devices() cluster.Amount {
	if r.GPUShare > 0 {
		return r.GPUShare
	}
	return cluster.Amount(r.GPUs) * cluster.Unit
}

// NoPriority is the priority of a request with only a class.
const NoPriority = -1

// MaxTime is the largest accepted time, about 397 days. Up to this time the metric Q of any request
// is exact.
const MaxTime sim.Milliseconds = 1 << 35

// Stream yields requests in order of submission. Read fills the buffer with as many
// requests as it can and returns their number. At the end it returns 0 and io.EOF.
type Stream interface {
	Read([]Request) (int, error)
}

// Slice is a stream of requests in memory. It implements [Stream].
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

// ReadAll reads a stream to its end. After an error, it returns the requests read so far with the
// error.
func ReadAll(s Stream) ([]Request, error) {
	var all []Request
	err := Each(s, func(r *Request) error {
		all = append(all, *r)
		return nil
	})
	return all, err
}

// Each calls do for each request of a stream until do fails. The request is valid
// during the call.
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

// SortBySubmit sorts requests by submission, keeping the order of equal times.
func SortBySubmit(all []Request) {
	bySubmit := func(a, b Request) int { return cmp.Compare(a.Submit, b.Submit) }
	if !slices.IsSortedFunc(all, bySubmit) { // usually sorted already
		slices.SortStableFunc(all, bySubmit)
	}
}

// EpochFrom and EpochTo are the years 1980 and 2096 in seconds since 1970. Times between them are
// interpreted as seconds since 1970.
const EpochFrom, EpochTo = 315_532_800, 4_000_000_000

// JobNumbers maps names of jobs to numbers. A non-negative integer maps to itself. Other names get
// the numbers −1, −2, and so on.
type JobNumbers map[string]int64

// Of returns the number of the job with a name. A name that is a non-negative integer is its own
// number; any other name gets the next negative number when it first occurs.
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

// Check returns an error if a request cannot be simulated, such as one without CPU or memory.
// Readers call it, because no format rules out such values.
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

// UsualClass is the class of requests from files without classes, WithoutClasses the
// note about such files.
const (
	UsualClass     = "silver"
	WithoutClasses = "the file has no service classes: all requests are " + UsualClass
)

// UnknownUser is the user of jobs from files without users.
const UnknownUser = "?"

// filtered is a stream of the requests for which takes is true.
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

// Partial suppresses io.EOF if there are n > 0 requests to return first.
func Partial(n int, err error) (int, error) {
	if n > 0 && err == io.EOF {
		return n, nil
	}
	return n, err
}

// ParseConstraint parses a key, an operator and a value, such as disks>2.
func ParseConstraint(text string) (cluster.Constraint, error) {
	start := strings.IndexAny(text, "=≠!<>/∈")
	if start <= 0 {
		return cluster.Constraint{}, badConstraint.New(text)
	}
	rest := text[start:]
	end := start + len(rest) - len(strings.TrimLeft(rest, "=≠!<>/∈"))
	op, ok := cluster.ParseOperator(text[start:end])
	if !ok {
		return cluster.Constraint{}, UnknownOperator(text[start:end])
	}
	return cluster.Constraint{Key: strings.TrimSpace(text[:start]), Op: op, Value: strings.TrimSpace(text[end:])}, nil
}

// UnknownOperator returns the error about an unknown operator in a constraint.
func UnknownOperator(text string) error {
	return unknownOperator.New(text)
}
