package scenario

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	"berth/engine/budget"
)

// Env is what a scenario gets from the world. All of it may be nil.
type Env struct {
	Progress func(Progress)
	Now      func() float64 // milliseconds; without it the report has no timings
	Memory   int64          // bytes that a run may take; 0: see [Env.Affords]
	// Cold, where it is not nil, says that a subject runs for the first time in a process
	// that compiles its code meanwhile. [Env.Time] then measures a short run again.
	Cold   func(subject string) bool
	Budget *budget.Budget // of all texts that are read: see [Env.Load]
	// Beside opens the file of a source that is a file next to the document, by the
	// name of its slot, and says how many bytes it has; each call starts from the
	// beginning and ends the reader before. It fails with [ErrNoText] where there
	// is none. The file may be packed with gzip.
	Beside func(slot string) (file io.Reader, size int64, err error)

	repeated *float64 // milliseconds of all that ran for the clock alone
}

// Progress says how far a run is.
type Progress struct {
	Phase    string  `json:"phase"` // "reading", "placing" or "running"
	Fraction float64 `json:"fraction"`
	Done     int64   `json:"done"`
	Total    int64   `json:"total"`             // 0 if it is not known
	Unit     string  `json:"unit"`              // of Done and Total: "graphs", "jobs", "bytes" or "requests"
	Time     float64 `json:"time,omitempty"`    // simulated, in seconds from the first arrival
	Events   int64   `json:"events,omitempty"`  // simulated so far, in this run
	Elapsed  float64 `json:"elapsed,omitempty"` // milliseconds since a worker began, by its clock: it may be heard late

	Interim *Interim `json:"interim,omitempty"` // nil where nothing can be shown yet
}

// Interim is what a run has come to while it goes on, in the form of its kind. It is
// put together only when it is sent, since most progress is not.
type Interim struct {
	make func() any
	data json.RawMessage
}

// NewInterim returns what make will be asked for before Tell returns.
func NewInterim(make func() any) *Interim { return &Interim{make: make} }

// MarshalJSON implements [json.Marshaler].
func (i *Interim) MarshalJSON() ([]byte, error) {
	if i.make == nil {
		return i.data, nil
	}
	return json.Marshal(i.make())
}

// UnmarshalJSON implements [json.Unmarshaler].
func (i *Interim) UnmarshalJSON(data []byte) error {
	i.data = slices.Clone(data)
	return nil
}

// Decode reads it into a value of the kind's.
func (i *Interim) Decode(v any) error {
	data, err := i.MarshalJSON()
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// Load returns the budget of all texts that are read; it makes one where there is none.
func (e *Env) Load() *budget.Budget {
	if e.Budget == nil {
		e.Budget = NewLoad(e.Memory)
	}
	return e.Budget
}

// Tell reports progress to the listener, if there is one.
func (e *Env) Tell(p Progress) {
	if e.Progress != nil {
		e.Progress(p)
	}
}

// TellRead reports how many of the bytes of an input were read.
func (e *Env) TellRead(read, size int64) {
	e.Tell(Progress{
		Phase: "reading", Fraction: float64(read) / float64(max(1, size, read)), Done: read, Total: size, Unit: "bytes",
	})
}

// What [Env.Time] repeats, in milliseconds and times.
const (
	shortRun    = 250 // a longer run is hardly lengthened by a compiler
	warmTime    = 5   // that is measured at a time, so that the clock's ticks do not matter
	mostRepeats = 512
)

// Time carries out a run of a subject and returns how long it took, in milliseconds.
// Where the first run may have waited for a compiler, again is timed instead until it
// takes as long as usual: it does the same, and nothing may depend on it. Nil is a run
// that cannot be repeated.
func (e *Env) Time(ctx context.Context, subject string, run, again func()) float64 {
	start := e.Clock()
	run()
	took := e.Clock() - start
	if e.Cold == nil || !e.Cold(subject) || again == nil || took <= 0 || took > shortRun {
		return took
	}
	begun := e.Clock()
	for n, lasted := 1, 0.0; n <= mostRepeats && lasted < warmTime && ctx.Err() == nil; n *= 2 {
		start = e.Clock()
		for range n {
			again()
		}
		lasted = e.Clock() - start
		took = min(took, lasted/float64(n))
	}
	if e.repeated != nil {
		*e.repeated += e.Clock() - begun
	}
	return took
}

// Clock returns the time in milliseconds, 0 without a clock.
func (e *Env) Clock() float64 {
	if e.Now == nil {
		return 0
	}
	return e.Now()
}
