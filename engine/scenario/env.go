package scenario

import "io"

// Env is what an experiment gets from the world. All of it may be nil.
type Env struct {
	Progress func(Progress)
	Now      func() float64 // milliseconds; without it the report has no timings
	Memory   int64          // bytes that a run may take; 0: see [Env.Affords]
	// Beside opens the file of a source that stands beside the document, by the
	// name of its slot, and says how many bytes it has; each call starts from the
	// beginning and ends the reader before. It fails with [ErrNoText] where there
	// is none. The file may be packed with gzip.
	Beside func(slot string) (file io.Reader, size int64, err error)
}

// Progress says how far a run is.
type Progress struct {
	Phase    string  `json:"phase"` // "reading", "placing" or "running"
	Fraction float64 `json:"fraction"`
	Done     int64   `json:"done"`
	Total    int64   `json:"total"`            // 0 if it is not known
	Unit     string  `json:"unit"`             // of Done and Total: "graphs", "jobs", "bytes" or "requests"
	Time     float64 `json:"time,omitempty"`   // simulated, in seconds from the first arrival
	Events   int64   `json:"events,omitempty"` // simulated so far, in this run
}

// Tell reports progress to whoever listens.
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

// Clock returns the time in milliseconds, 0 without a clock.
func (e *Env) Clock() float64 {
	if e.Now == nil {
		return 0
	}
	return e.Now()
}
