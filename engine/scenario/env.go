package scenario

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	"berth/engine/budget"
)

// Env is the environment of a run. All fields are optional.
type Env struct {
	Progress func(Progress)
	Now      func() float64 // time in milliseconds; nil: no timings in the report
	Memory   int64          // memory limit in bytes; 0: default
	// Cold reports whether a subject runs for the first time in a process that compiles its code
	// during the run. If so, [Env.Time] measures short runs again.
	Cold   func(subject string) bool
	Budget *budget.Budget // budget for all texts that are read; see [Env.Load]
	// Beside opens the file of a slot from its beginning, and returns its size in bytes.
	// It ends the previous reader of the slot. It fails with [ErrNoText] if the slot has
	// no file. The file may be packed.
	Beside func(slot string) (file io.Reader, size int64, err error)

	repeated *float64 // duration of repetitions in milliseconds
}

// Progress is the progress of a run.
type Progress struct {
	Phase    string // "reading", "placing" or "running"
	Fraction float64
	Done     int64
	Total    int64   // 0: unknown
	Unit     string  // unit of Done and Total: "graphs", "jobs", "bytes" or "requests"
	Time     float64 // simulated time in seconds since the first arrival
	Events   int64   // simulated events in this run so far
	Elapsed  float64 // milliseconds since the worker began, by its clock; the message may arrive later

	Interim Interim `json:",omitzero"` // nil if the run has none yet
}

// Interim makes the intermediate result of a run, in the form of its kind. Listeners call
// it before [Env.Tell] returns, and only to send it, because most progress is not sent.
type Interim func() any

// MarshalJSON implements [json.Marshaler].
func (i Interim) MarshalJSON() ([]byte, error) { return json.Marshal(i()) }

// UnmarshalJSON implements [json.Unmarshaler].
func (i *Interim) UnmarshalJSON(data []byte) error {
	data = slices.Clone(data)
	*i = func() any { return json.RawMessage(data) }
	return nil
}

// Decode decodes the intermediate result into v.
func (i Interim) Decode(v any) error {
	data, err := i.MarshalJSON()
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// Load returns the budget of all texts that are read. It creates a missing budget.
func (e *Env) Load() *budget.Budget {
	if e.Budget == nil {
		e.Budget = NewLoad(e.Memory)
	}
	return e.Budget
}

// Tell passes progress to the listener, if there is one.
func (e *Env) Tell(p Progress) {
	if e.Progress != nil {
		e.Progress(p)
	}
}

// TellRead reports the progress of reading an input.
func (e *Env) TellRead(read, size int64) {
	e.Tell(Progress{
		Phase: "reading", Fraction: float64(read) / float64(max(1, size, read)), Done: read, Total: size, Unit: "bytes",
	})
}

// Parameters of the repetitions in [Env.Time]. Times are in milliseconds.
const (
	shortRun    = 250 // compilation hardly affects longer runs
	warmTime    = 5   // minimum duration of a measurement, because clocks have a coarse resolution
	mostRepeats = 512
)

// Time runs a subject and returns the duration in milliseconds. If the first run may have waited
// for a compiler, Time repeats the measurement with again until it takes at least warmTime. again
// must do the same work without side effects; it is nil if the run cannot be repeated.
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
